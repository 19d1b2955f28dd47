// The runner of one label and one value type; runner.cpp chooses among them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/labels.h"
#include "core/random.h"
#include "cpu/multireduce.h"
#include "cpu/pages.h"
#include "cpu/runner.h"
#include "cpu/scatter.h"
#include "cpu/thread_team.h"

namespace presort::cpu {

class AnyRunner {
 public:
  virtual ~AnyRunner() = default;
  virtual double run_once(const Plan& plan) = 0;  // ns per input
  virtual bool check(const Plan& plan) = 0;
  virtual double initialise_ns_per_input() const = 0;
  virtual uint64_t huge_page_bytes() const = 0;
};

// One for each label type, to compile them apart.
std::unique_ptr<AnyRunner> make_u32_runner(const Problem& problem, PageSize page_size,
                                           const LabelSource& labels, size_t scratch_bytes,
                                           std::vector<int> cpus);
std::unique_ptr<AnyRunner> make_u64_runner(const Problem& problem, PageSize page_size,
                                           const LabelSource& labels, size_t scratch_bytes,
                                           std::vector<int> cpus);

// Calls f(first, last) on parts of [0, count), on all processors when it is worth their start.
template <class F>
void in_parallel(uint64_t count, const F& f) {
  constexpr uint64_t kLong = 1 << 20;
  const uint64_t parts = count < kLong ? 1 : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (uint64_t part = 1; part < parts; ++part) {
    threads.emplace_back([&f, count, part, parts] {
      f(count / parts * part, part + 1 == parts ? count : count / parts * (part + 1));
    });
  }
  f(0, parts == 1 ? count : count / parts);
}

// Value i of a problem. A sum of any of them neither overflows nor, in practice, is rounded.
template <class Value>
Value test_value(uint64_t seed, uint64_t i, Operation operation) {
  const uint64_t random = random_u64(~seed, i);
  if (operation == Operation::scatter) {
    return static_cast<Value>(random >> 41);  // 23 bits: exact in every type
  }
  constexpr uint64_t kValues = 7;
  const auto small = static_cast<int>(bounded(random, kValues));
  return static_cast<Value>(std::is_signed_v<Value> ? small - 3 : small);
}

template <class Label, class Value>
class TypedRunner final : public AnyRunner {
 public:
  TypedRunner(const Problem& problem, PageSize page_size, const LabelSource& source,
              size_t scratch_bytes, std::vector<int> cpus)
      : problem_(problem),
        page_size_(page_size),
        cpus_(std::move(cpus)),
        label_pages_(problem.n * sizeof(Label), page_size),
        value_pages_(problem.n * sizeof(Value) + kStagger, page_size),
        bucket_pages_(problem.m * sizeof(Value) + 2 * kStagger, page_size),
        scratch_pages_(scratch_bytes + 3 * kStagger, page_size),
        labels_(label_pages_.array<Label>(problem.n)),
        values_(value_pages_.array<Value>(problem.n, kStagger)),
        buckets_(bucket_pages_.array<Value>(problem.m, 2 * kStagger)),
        scratch_(scratch_pages_.bytes().subspan(3 * kStagger)) {
    in_parallel(problem.n, [&](uint64_t first, uint64_t last) {
      generate_as<Label>(source, first, labels_.subspan(first, last - first));
      for (uint64_t i = first; i < last; ++i) {
        values_[i] = test_value<Value>(problem.seed, i, problem.operation);
      }
    });
  }

  double run_once(const Plan& plan) override {
    if (plan.resources.page_size != page_size_) {
      throw PlanError("pageSize: found '" + to_name(kPageSizes, plan.resources.page_size) +
                      "', accepted: " + to_name(kPageSizes, page_size_) +
                      ", that of the memory which is there");
    }
    check_plan(plan, problem_);
    ThreadTeam& threads = team_of(static_cast<size_t>(plan.resources.threads));
    initialise_ns_ = timed_ns([&] { std::ranges::fill(buckets_, Value{}); });
    return timed_ns([&] { run(plan, threads); }) / static_cast<double>(problem_.n);
  }

  bool check(const Plan& plan) override {
    run_once(plan);
    if (expected_pages_.size() == 0) {
      expected_pages_ = PageBuffer(problem_.m * sizeof(Value), page_size_);
      run_plain_loop(expected_pages_.array<Value>(problem_.m));
    }
    return std::ranges::equal(buckets_, expected_pages_.array<Value>(problem_.m));
  }

  double initialise_ns_per_input() const override {
    return initialise_ns_ / static_cast<double>(problem_.n);
  }

  uint64_t huge_page_bytes() const override {
    return label_pages_.huge_bytes() + value_pages_.huge_bytes() + bucket_pages_.huge_bytes() +
           scratch_pages_.huge_bytes();
  }

 private:
  template <class F>
  static double timed_ns(const F& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::nano>(end - start).count();
  }

  // Threads that are started wait for the next run that has as many.
  ThreadTeam& team_of(size_t threads) {
    std::unique_ptr<ThreadTeam>& team = teams_[threads];
    if (!team) {
      team = std::make_unique<ThreadTeam>(threads, cpus_);
    }
    return *team;
  }

  void run(const Plan& plan, ThreadTeam& threads) {
    const std::span<const Label> labels = labels_;
    const std::span<const Value> values = values_;
    if (problem_.operation == Operation::scatter) {
      scatter(labels, values, buckets_, plan, scratch_, threads);
    } else {
      multireduce(labels, values, buckets_, Sum<Value>{}, plan, scratch_, threads);
    }
  }

  // Independent of the kernels: what they are checked with.
  void run_plain_loop(std::span<Value> buckets) const {
    for (size_t i = 0; i < labels_.size(); ++i) {
      Value& bucket = buckets[labels_[i]];
      bucket = problem_.operation == Operation::scatter ? values_[i] : bucket + values_[i];
    }
  }

  Problem problem_;
  PageSize page_size_;
  std::vector<int> cpus_;
  std::map<size_t, std::unique_ptr<ThreadTeam>> teams_;  // by number of threads
  PageBuffer label_pages_;
  PageBuffer value_pages_;
  PageBuffer bucket_pages_;
  PageBuffer scratch_pages_;
  PageBuffer expected_pages_;  // buckets of the plain loop, when a check has asked for them
  std::span<Label> labels_;
  std::span<Value> values_;
  std::span<Value> buckets_;
  std::span<std::byte> scratch_;
  double initialise_ns_ = 0;
};

template <class Label>
std::unique_ptr<AnyRunner> make_typed_runner(const Problem& problem, PageSize page_size,
                                             const LabelSource& labels, size_t scratch_bytes,
                                             std::vector<int> cpus) {
  const auto make = [&]<class Value>(Value) -> std::unique_ptr<AnyRunner> {
    return std::make_unique<TypedRunner<Label, Value>>(problem, page_size, labels, scratch_bytes,
                                                       std::move(cpus));
  };
  switch (problem.types.value) {
    case ScalarType::u32:
      return make(uint32_t{});
    case ScalarType::u64:
      return make(uint64_t{});
    case ScalarType::i32:
      return make(int32_t{});
    case ScalarType::i64:
      return make(int64_t{});
    case ScalarType::f32:
      return make(float{});
    case ScalarType::f64:
      return make(double{});
    case ScalarType::u8:
    case ScalarType::u16:
      break;
  }
  throw InputError("type: found '" + to_name(kScalarTypes, problem.types.value) +
                   "' for values, accepted: u32, u64, i32, i64, f32, f64");
}

}  // namespace presort::cpu
