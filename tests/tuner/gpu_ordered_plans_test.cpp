// Tests the plans on a GPU of operations that keep the order of the inputs.
#include "presort/gpu/plan/ordered_plans.h"

#include <doctest/doctest.h>

#include <cmath>

#include "presort/gpu/plan/times/tile_waits.h"

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
  CHECK_FALSE(plan_of(21, 20, 8).presort);
  CHECK_FALSE(plan_of(20, 12, 4).presort);
  CHECK(plan_of(21, 12, 4).presort == GpuPresort{.sort_bits = 4, .passes = 1});
  CHECK_FALSE(plan_of(28, 11, 4).presort);
  CHECK(plan_of(28, 12, 4).presort == GpuPresort{.sort_bits = 4, .passes = 1});
  CHECK(plan_of(28, 16, 4).presort == GpuPresort{.sort_bits = 8, .passes = 1});
  CHECK(plan_of(28, 16, 8).presort == GpuPresort{.sort_bits = 7, .passes = 1});
  CHECK(plan_of(28, 20, 4).presort == GpuPresort{.sort_bits = 9, .passes = 1});
  CHECK(plan_of(22, 20, 4).presort == GpuPresort{.sort_bits = 10, .passes = 1});
  CHECK_FALSE(plan_of(21, 11, 4).presort);
  CHECK_FALSE(plan_of(22, 10, 4).presort);
  CHECK(plan_of(22, 11, 4).presort == GpuPresort{.sort_bits = 2, .passes = 1});
  CHECK_FALSE(plan_of(23, 11, 4).presort);
  CHECK(plan_of(22, 16, 4).presort == GpuPresort{.sort_bits = 7, .passes = 1});
  CHECK(plan_of(22, 22, 4).presort == GpuPresort{.sort_bits = 13, .passes = 2});
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
  CHECK_FALSE(plan_of(21, 16, 4).presort);
  CHECK_FALSE(plan_of(22, 16, 8).presort);
  CHECK(plan_of(22, 16, 16).presort == GpuPresort{.sort_bits = 16, .passes = 2});
  CHECK(plan_of(22, 20, 4).presort == GpuPresort{.sort_bits = 20, .passes = 2});
  CHECK(plan_of(28, 20, 4).presort == GpuPresort{.sort_bits = 20, .passes = 3});
  CHECK(plan_of(28, 24, 4).presort == GpuPresort{.sort_bits = 24, .passes = 3});
}

TEST_CASE("a warp that joins tiles waits for each of its accesses") {
  Gpu gpu;
  gpu.l2_latency_ns = 100;
  gpu.shared_latency_ns = 10;
  // 512 tiles of 2048 inputs, 16 batches of 32; 2^10 ranges, 63 labels of a range in a batch: one step of
  // 4 rows. 5 shuffles; a read, 6 shuffles and 4 accesses for each row.
  const TileWaits waits(uint64_t{1} << 20, uint64_t{1} << 16, 16, 4);
  CHECK(waits.begins() == 512 * 1025);
  CHECK(waits.labels() == doctest::Approx(512 * 65536 * (1 - std::exp(-2048.0 / 65536))));
  CHECK(waits.runs() == 512 * 1024);
  CHECK(waits.chain_ns(gpu) == 16 * (5 * 10 + 100 + 10 * (6 + 4 * 4)));
  // Values of 16 bytes: a row at a time, two steps
  CHECK(TileWaits(uint64_t{1} << 20, uint64_t{1} << 16, 16, 16).chain_ns(gpu) ==
        16 * (5 * 10 + 2 * (100 + 10 * (6 + 4))));
  // Few inputs: one tile, fewer labels than ranges
  const TileWaits few(100, uint64_t{1} << 20, 20, 4);
  CHECK(few.runs() == few.labels());
  CHECK(few.chain_ns(gpu) == 5 * 10 + 100 + 10 * (6 + 4 * 4));
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
