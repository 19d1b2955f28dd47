// The runner of one label and one value type; runner.cpp chooses among them.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/core/segments.h"
#include "presort/cpu/nodes/scratch_owners.h"
#include "presort/cpu/runner/runner.h"
#include "presort/cpu/runner/typed_arrays.h"
#include "presort/cpu/runner/typed_operation.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/in_parallel.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

class AnyRunner {
 public:
  virtual ~AnyRunner() = default;
  virtual void use_cpus(std::vector<int> cpus) = 0;
  virtual void use_nodes(HostNodes nodes) = 0;
  virtual double run_once(const CpuPlan& plan) = 0;  // measured time of one run, ns per input
  virtual bool check(const CpuPlan& plan) = 0;
  virtual double initialise_ns_per_input() const = 0;
  virtual uint64_t huge_page_bytes() const = 0;
};

// Functions that make a runner, one for each label type, so that label types are compiled separately.
std::unique_ptr<AnyRunner> make_u32_runner(const Problem& problem, PageSize page_size,
                                           const LabelSource& labels, size_t scratch_bytes,
                                           std::vector<int> cpus, StopToken stop);
std::unique_ptr<AnyRunner> make_u64_runner(const Problem& problem, PageSize page_size,
                                           const LabelSource& labels, size_t scratch_bytes,
                                           std::vector<int> cpus, StopToken stop);

// Value i of a test problem, or of a table that is only read. Sums of these values neither overflow nor,
// in practice, round.
template <class Value>
Value test_value(uint64_t seed, uint64_t i, Operation operation) {
  const uint64_t random = random_u64(~seed, i);
  if (operation == Operation::scatter || operation == Operation::gather) {
    return static_cast<Value>(random >> 41);  // values are below 2^23, so exact in every type
  }
  constexpr uint64_t kValues = 7;
  const auto small = static_cast<int>(bounded(random, kValues));
  return static_cast<Value>(std::is_signed_v<Value> ? small - 3 : small);
}

template <class Label, class Value>
class TypedRunner final : public AnyRunner {
 public:
  TypedRunner(const Problem& problem, PageSize page_size, const LabelSource& source,
              size_t scratch_bytes, std::vector<int> cpus, StopToken stop)
      : problem_(problem),
        page_size_(page_size),
        cpus_(std::move(cpus)),
        arrays_(problem, page_size, stop),
        scratch_(scratch_bytes, kScratchStagger, page_size, stop) {
    const std::span<Label> labels = arrays_.labels.elements();
    in_parallel(labels.size(), stop, [&](uint64_t first, uint64_t last) {
      generate_as<Label>(source, first, labels.subspan(first, last - first));
    });
    if (is_segmented(problem.operation)) {
      fill_segment_offsets(source, arrays_.offsets.elements(), stop);
    }
    set_test_values(arrays_.values.elements(), stop);
    if (!writes_buckets(problem.operation)) {
      set_test_values(arrays_.buckets.elements(), stop);
    }
  }

  void use_cpus(std::vector<int> cpus) override { cpus_ = std::move(cpus); }
  void use_nodes(HostNodes nodes) override { nodes_ = std::move(nodes); }

  double run_once(const CpuPlan& plan) override {
    if (plan.resources.page_size != page_size_) {
      throw PlanError("pageSize: found '" + to_name(kPageSizes, plan.resources.page_size) +
                      "', accepted: " + to_name(kPageSizes, page_size_) +
                      ", that of the memory which is there");
    }
    const CheckedCpuPlan checked(plan, {problem_.operation, problem_.n, problem_.m});
    ThreadTeam& threads = team_of(static_cast<size_t>(plan.resources.threads));
    if (nodes_.several()) {
      place(plan);
    }
    const auto arrays = operation_arrays(arrays_);
    if (writes_buckets(problem_.operation)) {
      initialise_ns_ = timed_ns([&] { std::ranges::fill(arrays.buckets, Value{}); });
    }
    const auto run = [&] {
      run_operation(problem_, arrays, checked, scratch_.elements(), threads);
    };
    return timed_ns(run) / static_cast<double>(problem_.n);
  }

  bool check(const CpuPlan& plan) override {
    run_once(plan);
    if (!expected_) {
      expected_.emplace(problem_, page_size_);
      const auto expected = operation_arrays(*expected_);
      if (!writes_buckets(problem_.operation)) {
        std::ranges::copy(arrays_.buckets.elements(), expected.buckets.begin());
      }
      run_plain_loop(problem_, expected);
    }
    const OutputArrays<Label, Value>& found = arrays_;
    return std::ranges::equal(found.results.elements(), expected_->results.elements()) &&
           std::ranges::equal(found.buckets.elements(), expected_->buckets.elements()) &&
           std::ranges::equal(found.sorted_labels.elements(),
                              expected_->sorted_labels.elements()) &&
           std::ranges::equal(found.part_starts.elements(), expected_->part_starts.elements());
  }

  double initialise_ns_per_input() const override {
    return initialise_ns_ / static_cast<double>(problem_.n);
  }

  uint64_t huge_page_bytes() const override { return arrays_.huge_bytes() + scratch_.huge_bytes(); }

 private:
  struct PlacedTeam {
    std::vector<int> cpus;
    std::unique_ptr<ThreadTeam> team;
  };

  template <class F>
  static double timed_ns(const F& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::nano>(end - start).count();
  }

  void set_test_values(std::span<Value> values, StopToken stop) const {
    in_parallel(values.size(), stop, [&](uint64_t first, uint64_t last) {
      for (uint64_t i = first; i < last; ++i) {
        values[i] = test_value<Value>(problem_.seed, i, problem_.operation);
      }
    });
  }

  // The node of the CPU that the calling thread runs on; the first one if it is of no node.
  size_t node_of_caller() const {
    const auto found = std::ranges::find_if(nodes_.nodes, [cpu = sched_getcpu()](const CpuNode& n) {
      return std::ranges::find(n.cpus, cpu) != n.cpus.end();
    });
    return found == nodes_.nodes.end() ? 0 : static_cast<size_t>(found - nodes_.nodes.begin());
  }

  // Puts all arrays and the scratch on the memory nodes that the plan says, if they are not there.
  void place(const CpuPlan& plan) {
    if (placed_ == plan) {
      return;
    }
    placed_.reset();
    const auto threads = static_cast<size_t>(plan.resources.threads);
    // A team of one is the caller's thread, wherever that runs
    const std::vector<size_t> nodes = threads == 1 ? std::vector<size_t>{node_of_caller()}
                                                   : place_threads(nodes_.nodes, threads).nodes;
    const auto put = [&](auto elements, const std::vector<OwnedBytes>& owned) {
      place_pages(std::as_writable_bytes(elements), owned, plan.resources, nodes,
                  nodes_.nodes.size(), *nodes_.binder);
    };
    const auto put_shared = [&](auto elements) {
      put(elements, shared_bytes(elements.size_bytes(), threads));
    };
    put_shared(arrays_.labels.elements());
    put_shared(arrays_.values.elements());
    put_shared(arrays_.offsets.elements());
    put_shared(arrays_.results.elements());
    put_shared(arrays_.buckets.elements());
    put_shared(arrays_.sorted_labels.elements());
    put_shared(arrays_.part_starts.elements());
    const std::span<std::byte> scratch = scratch_.elements();
    put(scratch, scratch_owners<Label, Value>(problem_, plan, scratch.size()));
    placed_ = plan;
  }

  // The team with a given number of threads. A team is started once, and kept for later runs with as many
  // threads on the same CPUs.
  ThreadTeam& team_of(size_t threads) {
    PlacedTeam& placed = teams_[threads];
    if (nodes_.several()) {
      if (!placed.team) {
        placed.team = std::make_unique<ThreadTeam>(threads, place_threads(nodes_.nodes, threads));
      }
      return *placed.team;
    }
    if (!placed.team || placed.cpus != cpus_) {
      placed = {cpus_, nullptr};
      placed.team = std::make_unique<ThreadTeam>(threads, cpus_);
    }
    return *placed.team;
  }

  OperationArrays<Label, Value> operation_arrays(const OutputArrays<Label, Value>& to) const {
    return {arrays_.labels.elements(), arrays_.values.elements(), arrays_.offsets.elements(),
            to.results.elements(),     to.buckets.elements(),     to.sorted_labels.elements(),
            to.part_starts.elements()};
  }

  Problem problem_;
  PageSize page_size_;
  std::vector<int> cpus_;
  HostNodes nodes_;                     // memory nodes of the host, if they are known
  std::optional<CpuPlan> placed_;       // plan for which the arrays were placed; none: not placed
  std::map<size_t, PlacedTeam> teams_;  // teams by their number of threads
  TypedArrays<Label, Value> arrays_;
  StaggeredArray<std::byte> scratch_;
  // Outputs of the plain loop, for comparison; computed when a run is first checked.
  std::optional<OutputArrays<Label, Value>> expected_;
  double initialise_ns_ = 0;
};

template <class Label>
std::unique_ptr<AnyRunner> make_typed_runner(const Problem& problem, PageSize page_size,
                                             const LabelSource& labels, size_t scratch_bytes,
                                             std::vector<int> cpus, StopToken stop) {
  const auto make = [&]<class Value>(Value) -> std::unique_ptr<AnyRunner> {
    return std::make_unique<TypedRunner<Label, Value>>(problem, page_size, labels, scratch_bytes,
                                                       std::move(cpus), stop);
  };
  const ScalarType value = problem.types.value;
  const bool sums = !works_on_words(problem.operation);
  switch (value) {
    case ScalarType::f32:
      return sums ? make(float{}) : make(uint32_t{});
    case ScalarType::f64:
      return sums ? make(double{}) : make(uint64_t{});
    case ScalarType::u32:
    case ScalarType::i32:
      return make(uint32_t{});  // integer sums: signed and unsigned have the same bits
    case ScalarType::u64:
    case ScalarType::i64:
      return make(uint64_t{});
    case ScalarType::u8:
    case ScalarType::u16:
      break;
  }
  throw InputError("type: found '" + to_name(kScalarTypes, value) +
                   "' for values, accepted: u32, u64, i32, i64, f32, f64");
}

}  // namespace presort::cpu
