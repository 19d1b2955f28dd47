// Tests problems too large for any memory: for every operation, type, number of inputs and of buckets,
// the bytes needed are computed right, or the problem is refused without any allocation.
#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/cpu/pages.h"
#include "presort/cpu/runner/runner.h"
#include "presort/cpu/runner/typed_arrays.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::test::sizes_test {
namespace {

constexpr uint64_t kNastySizes[] = {0,
                                    1,
                                    1000,
                                    uint64_t{1} << 20,
                                    (uint64_t{1} << 32) - 1,
                                    uint64_t{1} << 32,
                                    (uint64_t{1} << 32) + 1,
                                    uint64_t{1} << 40,
                                    uint64_t{1} << 58,
                                    uint64_t{1} << 60,
                                    uint64_t{1} << 61,
                                    uint64_t{1} << 62,
                                    (uint64_t{1} << 62) + 1,
                                    uint64_t{1} << 63,
                                    ~uint64_t{0} - 1,
                                    ~uint64_t{0}};

constexpr const char* kPlans[] = {
    "sortBits=0",
    "sortBits=0,threads=1024",
    "nSets=4",
    "rangePasses=64",
    "strategy=privateTables,threads=7",
    "sortBits=8,passes=1",
    "sortBits=8,passes=1,threads=1000",
    "sortBits=9,passes=2,layout=separate",
    "sortBits=20,passes=2",
    "sortBits=8,passes=1,chunkBytes=64KiB",
    "sortBits=8,passes=1,chunkBytes=1MiB,threads=3",
    "sortBits=8,passes=1,strategy=plainRadix",
    "sortBits=64,passes=6",
};

using Wide = unsigned __int128;

// The bytes of all arrays of a problem but the scratch, without rounding up to pages.
Wide least_bytes(const Problem& problem) {
  const Wide label = size_bytes(problem.types.label);
  const Wide value = size_bytes(problem.types.value);
  const Wide n = problem.n;
  const Wide m = problem.m;
  Wide bytes = is_segmented(problem.operation) ? label * (m + 1) : label * n;
  bytes += has_values(problem.operation) ? value * n : 0;
  bytes += has_results(problem.operation) ? value * n : 0;
  bytes += has_buckets(problem.operation) ? value * m : 0;
  bytes += problem.operation == Operation::segmentedReduce ? value * m : 0;
  return bytes;
}

// Calls f(problem, plan) for all combinations that check_problem and check_plan accept; returns their number.
template <class F>
size_t for_each_combination(const F& f) {
  size_t count = 0;
  for (const auto& [operation_name, operation] : kOperations) {
    for (const ScalarType label : {ScalarType::u32, ScalarType::u64}) {
      for (const ScalarType value : {ScalarType::u32, ScalarType::u64, ScalarType::f32}) {
        for (const uint64_t n : kNastySizes) {
          for (const uint64_t m : kNastySizes) {
            Problem problem;
            problem.operation = operation;
            problem.n = n;
            problem.m = m;
            problem.types = {label, value};
            try {
              check_problem(problem);
            } catch (const InputError&) {
              continue;
            }
            for (const char* text : kPlans) {
              const CpuPlan plan = parse_cpu_plan(text);
              if (can_run(plan, problem)) {
                INFO(to_string(problem), ", ", text);
                f(problem, plan);
                ++count;
              }
            }
          }
        }
      }
    }
  }
  return count;
}

TEST_CASE("the bytes of a run are never fewer than those of its arrays, or it is refused") {
  size_t refused = 0;
  const size_t count = for_each_combination([&](const Problem& problem, const CpuPlan& plan) {
    const Wide least = least_bytes(problem);
    try {
      const uint64_t bytes = cpu::required_bytes(problem, plan, false);
      CHECK(bytes >= (least > kUncountable ? Wide{kUncountable} : least));
      CHECK(cpu::required_bytes(problem, plan, true) >= bytes);
      CHECK(cpu::Runner::scratch_bytes(problem, plan) <= bytes);
      // A pre-sort moves all inputs at least once, so scratch is at least as large as the inputs.
      const uint64_t label_bytes = size_bytes(problem.types.label);
      if (plan.presort) {
        CHECK(cpu::Runner::scratch_bytes(problem, plan) >=
              saturating_multiply(problem.n, label_bytes));
      }
    } catch (const EnvironmentError& error) {
      ++refused;
      CHECK(std::string(error.what()).find("n=" + std::to_string(problem.n)) != std::string::npos);
      CHECK(std::string(error.what()).find("m=" + std::to_string(problem.m)) != std::string::npos);
      CHECK(least > Wide{kUncountable} / 64);
    }
  });
  CHECK(count > 10000);
  CHECK(refused > 1000);
}

TEST_CASE("a run of more bytes than there are is refused before anything is allocated") {
  const uint64_t available = cpu::available_memory_bytes();
  size_t refused = 0;
  for_each_combination([&](const Problem& problem, const CpuPlan& plan) {
    if (plan.resources.threads > 1 || least_bytes(problem) <= available) {
      return;
    }
    // Labels that belong to another problem: the call is refused before it looks at them
    const auto labels = make_labels({}, 1, 1, 1);
    try {
      const uint64_t scratch = cpu::Runner::scratch_bytes(problem, plan);
      cpu::Runner(problem, plan.resources.page_size, labels, scratch);
      FAIL_CHECK("it ran");
    } catch (const EnvironmentError& error) {
      ++refused;
      CHECK(std::string(error.what()).find("n=") != std::string::npos);
      CHECK(std::string(error.what()).find("m=") != std::string::npos);
      CHECK(std::string(error.what()).find("memory") != std::string::npos);
    }
  });
  CHECK(refused > 1000);
}

TEST_CASE("an array, or pages, of more bytes than 64 bits hold are refused") {
  for (const uint64_t elements : kNastySizes) {
    if (elements < uint64_t{1} << 58) {
      continue;
    }
    CHECK_THROWS_AS(cpu::StaggeredArray<uint64_t>(elements, cpu::kBucketStagger, PageSize::k2MiB),
                    EnvironmentError);
    CHECK_THROWS_AS(cpu::PageBuffer(elements, PageSize::k4KiB), EnvironmentError);
  }
  CHECK_THROWS_WITH_AS(cpu::require_memory(kUncountable),
                       doctest::Contains("needed 2^64 bytes or more"), EnvironmentError);
}

TEST_CASE("shares of any number of inputs follow each other and differ by one at most") {
  for (const uint64_t count : kNastySizes) {
    for (const size_t threads : {1, 2, 3, 7, 1024, 4096}) {
      uint64_t end = 0;
      for (size_t t = 0; t < threads; ++t) {
        const cpu::Share share = cpu::share_of(count, t, threads);
        CHECK(share.first == end);
        CHECK(share.count() - count / threads <= 1);
        end = share.last;
      }
      CHECK(end == count);
    }
  }
}

TEST_CASE("what is being made ready ends when it is asked to, and its memory is given back") {
  std::atomic<bool> flag = true;
  const StopToken stop(flag);
  CHECK_THROWS_AS(cpu::PageBuffer(1 << 20, PageSize::k4KiB, stop), Stopped);
  Problem problem;
  problem.n = 1 << 20;
  problem.m = 1 << 10;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, 1);
  CHECK_THROWS_AS(cpu::Runner(problem, PageSize::k4KiB, labels, 0, {}, stop), Stopped);
}

}  // namespace
}  // namespace presort::test::sizes_test
