// For every plan and operation, the kernels carry out exactly the phases that the plan's list names.
#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/plan/phase_list.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/scatter.h"
#include "presort/cpu/segmented.h"
#include "tests/cpu/support.h"

namespace presort::inline v0 {

namespace test::executed_phases_test {

// A label type that no other test uses, so that kernels on it belong to this test alone.
using HeardLabel = unsigned long long;
static_assert(!std::is_same_v<HeardLabel, uint64_t> && sizeof(HeardLabel) == sizeof(uint64_t));

// A phase: its alternative of PhaseSpec, the number of its pass or range, and its digit.
struct Heard {
  size_t kind = 0;
  size_t pass = 0;
  int shift = 0;
  uint64_t mask = 0;
  bool operator==(const Heard&) const = default;
  auto operator<=>(const Heard&) const = default;
};

// Records the phases that kernels carry out, in the order of each phase's first time, by any thread.
class HeardPhases {
 public:
  void add(const Heard& heard) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(heard_, heard) == heard_.end()) {
      heard_.push_back(heard);
    }
  }
  std::vector<Heard> take() { return std::exchange(heard_, {}); }

 private:
  std::mutex mutex_;
  std::vector<Heard> heard_;
};

HeardPhases& heard_phases() {
  static HeardPhases phases;
  return phases;
}

template <class Phase, size_t kIndex = 0>
constexpr size_t kind_of() {
  if constexpr (std::is_same_v<Phase, std::variant_alternative_t<kIndex, cpu::PhaseSpec>>) {
    return kIndex;
  } else {
    return kind_of<Phase, kIndex + 1>();
  }
}

}  // namespace test::executed_phases_test

namespace cpu {

template <>
struct PhaseListener<test::executed_phases_test::HeardLabel> {
  template <class Phase>
  static void hears(size_t pass, const Digit& digit) {
    test::executed_phases_test::heard_phases().add(
        {test::executed_phases_test::kind_of<Phase>(), pass, digit.shift, digit.mask});
  }
};

}  // namespace cpu

namespace test::executed_phases_test {
namespace {

constexpr size_t kInputs = 20000;
constexpr size_t kBuckets = 200;  // number of buckets, 200: labels of 8 bits

std::vector<Heard> listed(const Problem& problem, const CpuPlan& plan) {
  std::vector<Heard> list;
  for (const cpu::PhaseSpec& phase : cpu::list_phases(problem, plan)) {
    if (std::holds_alternative<cpu::phase::SortFew>(phase)) {
      continue;  // every part has more than a few inputs here
    }
    Heard heard{phase.index()};
    std::visit(
        [&](const auto& at) {
          if constexpr (requires { at.pass; }) {
            const cpu::Digit digit = cpu::digit_of(at.pass, label_bits(problem.m));
            heard.pass = static_cast<size_t>(at.pass.from.passes);
            heard.shift = digit.shift;
            heard.mask = digit.mask;
          } else if constexpr (requires { at.range; }) {
            heard.pass = at.range.pass;
          }
        },
        phase);
    list.push_back(heard);
  }
  return list;
}

// Arrays of a size that a call of any operation can use.
struct Arrays {
  std::vector<HeardLabel> labels = make_uniform_labels<HeardLabel>(1, kInputs, kBuckets);
  std::vector<uint64_t> values = make_values<uint64_t>(2, kInputs);
  std::vector<uint64_t> buckets = std::vector<uint64_t>(kBuckets);
  std::vector<uint64_t> results = std::vector<uint64_t>(kInputs);
  std::vector<HeardLabel> sorted_labels = std::vector<HeardLabel>(kInputs);
  std::vector<uint64_t> sorted_values = std::vector<uint64_t>(kInputs);
  std::vector<HeardLabel> offsets = std::vector<HeardLabel>(kBuckets + 1);
  std::vector<uint64_t> of_segments = std::vector<uint64_t>(kBuckets);

  Arrays() {
    for (size_t s = 0; s <= kBuckets; ++s) {
      offsets[s] = kInputs * s / kBuckets;
    }
  }
};

// Allocates `bytes` bytes of scratch and calls f(scratch).
template <class F>
void with_scratch(size_t bytes, const F& f) {
  cpu::Scratch scratch;
  f(scratch.reserve(bytes, PageSize::k4KiB));
}

void run(Operation operation, const CpuPlan& plan, Arrays& a) {
  using Label = HeardLabel;
  using Value = uint64_t;
  const std::span<const Label> labels(a.labels);
  const std::span<const Value> values(a.values);
  const std::span<Value> buckets(a.buckets);
  const std::span<Value> results(a.results);
  const auto threads = static_cast<size_t>(plan.resources.threads);
  const Sum<Value> sum;
  const auto with = [&](size_t bytes, const auto& f) { with_scratch(bytes, f); };
  switch (operation) {
    case Operation::multireduce:
      return with(cpu::multireduce_scratch_bytes<Label, Value>(plan, kInputs, kBuckets),
                  [&](auto s) { cpu::multireduce(labels, values, buckets, sum, plan, s); });
    case Operation::scatter:
      return with(cpu::scatter_scratch_bytes<Label, Value>(plan, kInputs, kBuckets),
                  [&](auto s) { cpu::scatter(labels, values, buckets, plan, s); });
    case Operation::gather:
      return with(cpu::gather_scratch_bytes<Label, Value>(plan, kInputs, kBuckets), [&](auto s) {
        cpu::gather(labels, std::span<const Value>(a.buckets), results, plan, s);
      });
    case Operation::histogram:
      return with(cpu::histogram_scratch_bytes<Label, Value>(plan, kInputs, kBuckets),
                  [&](auto s) { cpu::histogram(labels, buckets, plan, s); });
    case Operation::multiscan:
      return with(cpu::multiscan_scratch_bytes<Label, Value>(plan, kInputs, kBuckets), [&](auto s) {
        cpu::multiscan<cpu::Scan::exclusive>(labels, values, buckets, results, sum, plan, s);
      });
    case Operation::multitag:
      return with(cpu::multitag_scratch_bytes<Label, Value>(plan, kInputs, kBuckets),
                  [&](auto s) { cpu::multitag(labels, buckets, results, plan, s); });
    case Operation::partialSort:
      return with(cpu::partial_sort_scratch_bytes<Label, Value>(plan, kInputs, kBuckets),
                  [&](auto s) {
                    std::vector<size_t> starts(cpu::partial_sort_parts(plan, kBuckets) + 1);
                    cpu::partial_sort(labels, values, kBuckets, std::span(a.sorted_labels),
                                      std::span(a.sorted_values), std::span(starts), plan, s);
                  });
    case Operation::compact:  // a CPU has none
    case Operation::multireduceInOrder:
    case Operation::reduceAxes:  // it is not made of phases
      return;
    case Operation::segmentedReduce:
    case Operation::segmentedScan:
    case Operation::scan: {
      cpu::ThreadTeam team(threads);
      const std::span<const Label> offsets(a.offsets);
      const std::span<Value> sums(a.of_segments);
      if (operation == Operation::segmentedReduce) {
        return threads == 1 ? cpu::segmented_reduce(values, offsets, sums, sum)
                            : cpu::segmented_reduce(values, offsets, sums, sum, team);
      }
      return threads == 1
                 ? cpu::segmented_scan<cpu::Scan::exclusive>(values, offsets, results, sum)
                 : cpu::segmented_scan<cpu::Scan::exclusive>(values, offsets, results, sum, team);
    }
  }
}

TEST_CASE("kernels carry out the phases of their plan's list, and no others") {
  size_t plans = 0;
  Arrays arrays;
  for (const auto& [operation_name, operation] : kOperations) {
    const std::string name(operation_name);
    for (const std::string text :
         {"sortBits=0", "prefetchDistance=8", "inputDistance=9", "rangePasses=3", "nSets=4",
          "strategy=privateTables", "sortBits=5", "sortBits=5,chunkBytes=16KiB",
          "sortBits=7,passes=2", "sortBits=8,passes=3,layout=separate,streaming=false",
          "sortBits=8", "sortBits=8,passes=2", "sortBits=7,passes=2,strategy=plainRadix"}) {
      for (const char* threads : {"1", "3"}) {
        const CpuPlan plan = parse_cpu_plan(text + ",threads=" + threads);
        Problem problem;
        problem.operation = operation;
        problem.n = kInputs;
        problem.m = kBuckets;
        if (!can_run(plan, problem)) {
          continue;
        }
        CAPTURE(name);
        CAPTURE(to_string(plan));
        ++plans;
        std::vector<Heard> expected = listed(problem, plan);
        run(operation, plan, arrays);
        std::vector<Heard> found = heard_phases().take();
        if (plan.resources.threads > 1) {  // order is not compared: threads need not be in step
          std::ranges::sort(expected);
          std::ranges::sort(found);
        }
        CHECK(found == expected);
      }
    }
  }
  CHECK(plans > 80);
}

TEST_CASE("parts of few inputs are not partitioned, and sorted where their order is asked for") {
  Arrays arrays;
  const CpuPlan plan = parse_cpu_plan("sortBits=8,passes=2,bufferBytes=64B");
  arrays.labels.resize(32);  // eight inputs in each of four parts, of 16 digits
  for (size_t i = 0; i < arrays.labels.size(); ++i) {
    arrays.labels[i] = i % 4 * 64 + 3 * i % 7;
  }
  arrays.values.resize(32);
  for (const Operation operation : {Operation::multireduce, Operation::partialSort}) {
    const std::span<const HeardLabel> labels(arrays.labels);
    const std::span<const uint64_t> values(arrays.values);
    if (operation == Operation::multireduce) {
      with_scratch(cpu::multireduce_scratch_bytes<HeardLabel, uint64_t>(plan, 32, 256),
                   [&](auto s) {
                     std::vector<uint64_t> buckets(256);
                     cpu::multireduce(labels, values, std::span(buckets), Sum<uint64_t>{}, plan, s);
                   });
    } else {
      with_scratch(cpu::partial_sort_scratch_bytes<HeardLabel, uint64_t>(plan, 32, 256),
                   [&](auto s) {
                     std::vector<size_t> starts(257);
                     std::vector<HeardLabel> sorted(32);
                     std::vector<uint64_t> moved(32);
                     cpu::partial_sort(labels, values, 256, std::span(sorted), std::span(moved),
                                       std::span(starts), plan, s);
                   });
    }
    size_t sorts = 0;
    for (const Heard& heard : heard_phases().take()) {
      CHECK(!(heard.kind == kind_of<cpu::phase::Partition>() && heard.pass > 0));
      sorts += heard.kind == kind_of<cpu::phase::SortFew>() ? 1 : 0;
    }
    CHECK(sorts == (operation == Operation::partialSort ? 1 : 0));
  }
}

}  // namespace
}  // namespace test::executed_phases_test
}  // namespace presort
