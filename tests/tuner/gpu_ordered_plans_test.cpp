// Tests the plans on a GPU of operations that keep the order of the inputs.
#include "presort/gpu/plan/ordered_plans.h"

#include <doctest/doctest.h>

namespace presort::inline v0::gpu::gpu_ordered_plans_test {
namespace {

// The limits of an H200, from its machine file.
constexpr DeviceLimits kDevice = {.multiprocessors = 132,
                                  .shared_bytes_of_block = 227 << 10,
                                  .shared_bytes_of_multiprocessor = 228 << 10,
                                  .threads_of_multiprocessor = 2048};

TEST_CASE("the plan of an ordered reduction is one that is accepted") {
  for (const uint64_t m : {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 20,
                           (uint64_t{1} << 28) + 1, uint64_t{1} << 40}) {
    for (const size_t value_bytes : {1, 4, 8, 16, 24, 64, 65, 100000}) {
      for (const uint64_t n : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 30}) {
        const GpuProblem problem{n, m, value_bytes};
        CHECK_NOTHROW(check_gpu_order(ordered_plan(problem), problem));
      }
    }
  }
}

TEST_CASE("an ordered reduction has tiles of few inputs, and few bits left for tables of many") {
  const auto plan_of = [](int n, int m, size_t bytes) {
    return ordered_plan({uint64_t{1} << n, uint64_t{1} << m, bytes});
  };
  CHECK_FALSE(plan_of(12, 16, 4).presort);
  CHECK_FALSE(plan_of(20, 20, 8).presort);
  CHECK_FALSE(plan_of(28, 11, 4).presort);
  CHECK(plan_of(28, 12, 4).presort == GpuPresort{.sort_bits = 4, .passes = 1});
  CHECK(plan_of(28, 16, 4).presort == GpuPresort{.sort_bits = 8, .passes = 1});
  CHECK(plan_of(28, 16, 8).presort == GpuPresort{.sort_bits = 7, .passes = 1});
  CHECK(plan_of(28, 20, 4).presort == GpuPresort{.sort_bits = 9, .passes = 1});
  CHECK(plan_of(22, 20, 4).presort == GpuPresort{.sort_bits = 10, .passes = 1});
  CHECK(plan_of(28, 24, 4).presort == GpuPresort{.sort_bits = 16, .passes = 2});
  CHECK(plan_of(22, 24, 4).presort == GpuPresort{.sort_bits = 24, .passes = 3});
}

TEST_CASE("a scan has one pass of few buckets, tiles of few inputs, and then sorts by all bits") {
  const auto plan_of = [](int n, int m, size_t bytes) {
    return scan_plan({uint64_t{1} << n, uint64_t{1} << m, bytes}, kDevice);
  };
  CHECK_FALSE(plan_of(28, 11, 4).presort);
  CHECK_FALSE(plan_of(28, 10, 8).presort);
  CHECK_FALSE(plan_of(20, 16, 4).presort);
  CHECK(plan_of(20, 16, 8).presort == GpuPresort{.sort_bits = 16, .passes = 2});
  CHECK(plan_of(22, 20, 4).presort == GpuPresort{.sort_bits = 20, .passes = 2});
  CHECK(plan_of(28, 20, 4).presort == GpuPresort{.sort_bits = 20, .passes = 3});
  CHECK(plan_of(28, 24, 4).presort == GpuPresort{.sort_bits = 24, .passes = 3});
}

TEST_CASE("plans of scans are checked, and small devices have smaller tables") {
  DeviceLimits small = kDevice;
  small.shared_bytes_of_block = 64 << 10;
  CHECK(scan_table_bits(kDevice, 4) == 11);
  CHECK(scan_table_bits(small, 4) == 9);
  CHECK(scan_table_bits(kDevice, 64) == 7);
  CHECK(scan_table_bits(kDevice, 65) == 0);
  const GpuProblem problem{1000, 4096, 4};
  CHECK_NOTHROW(check_gpu_scan(parse_gpu_plan("strategy=sharedSets"), problem, kDevice));
  CHECK_NOTHROW(check_gpu_scan(parse_gpu_plan("sortBits=12,passes=2"), problem, kDevice));
  for (const char* plan :
       {"sortBits=11", "sortBits=12", "strategy=globalSets", "nSets=2", "rangePasses=2"}) {
    CAPTURE(plan);
    CHECK_THROWS_AS(check_gpu_scan(parse_gpu_plan(plan), problem, kDevice), PlanError);
  }
  CHECK_NOTHROW(check_tiled_inputs(true, kMostTiledInputs));
  CHECK_NOTHROW(check_tiled_inputs(false, kMostTiledInputs + 1));
  CHECK_THROWS_AS(check_tiled_inputs(true, kMostTiledInputs + 1), PlanError);
}

}  // namespace
}  // namespace presort::gpu::gpu_ordered_plans_test
