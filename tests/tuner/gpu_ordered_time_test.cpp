// Tests the times of GPU plans for operations that keep the order of the inputs.
#include <doctest/doctest.h>

#include <algorithm>

#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/tuner/gpu_tuner.h"
#include "tests/tuner/round_gpu.h"

namespace presort::inline v0::tuner::gpu_ordered_time_test {
namespace {

using test::machine;
using test::problem;

TEST_CASE("operations on segments have one plan, and take the time of the bytes that they move") {
  const auto ns = [](Operation operation, uint64_t segments) {
    const Problem one = problem(operation, segments);
    const auto plans = gpu::gpu_plans(one, gpu::limits_of(*machine().gpu));
    REQUIRE(plans.size() == 1);
    return gpu::plan_time(*machine().gpu, one, plans.front()).ns_per_input;
  };
  // By hand: values of 4 bytes are read at 4 TB/s; for each segment of eight values, an offset is
  // read and a result written.
  CHECK(ns(Operation::segmentedReduce, 1) == doctest::Approx(0.001));
  CHECK(ns(Operation::segmentedReduce, uint64_t{1} << 25) == doctest::Approx(0.00125));
  // By hand, memory traffic per input: two words, and one bit that is read twice.
  CHECK(ns(Operation::segmentedScan, 1) == doctest::Approx(0.002 + 2 * 0.125 / 4000));
  // Where segments are short, warps read the offsets, one of 4 bytes for four values.
  CHECK(ns(Operation::segmentedScan, uint64_t{1} << 26) == doctest::Approx(0.002 + 1.0 / 4000));
}

TEST_CASE("scans, compactions and reductions over axes take the time of the bytes that they move") {
  const auto ns = [](const Problem& one) {
    const auto plans = gpu::gpu_plans(one, gpu::limits_of(*machine().gpu));
    REQUIRE(plans.size() == 1);
    return gpu::plan_time(*machine().gpu, one, plans.front()).ns_per_input;
  };
  // By hand, at 4 TB/s: a value is read and written.
  CHECK(ns(problem(Operation::scan, 1)) == doctest::Approx(8 / 4e3));
  CHECK(ns(problem(Operation::scan, 1, "uniform", "u32+f64")) == doctest::Approx(16 / 4e3));
  // By hand: a flag and a value are read; of uniform flags below 2 half of the values are written, of
  // equal flags 1 all of them.
  const auto compact = [](uint64_t m, const char* labels) {
    Problem one = problem(Operation::compact, m, labels);
    one.types.label = ScalarType::u8;
    return one;
  };
  CHECK(ns(compact(2, "uniform")) == doctest::Approx((1 + 4 + 2) / 4e3));
  CHECK(ns(compact(2, "degenerate")) == doctest::Approx((1 + 4 + 4) / 4e3));
  // By hand: values are read, and a result written for 512 of them.
  Problem axes = problem(Operation::reduceAxes, 1 << 19);
  axes.shape = parse_extents("shape", "512x512x1024");
  axes.axes = parse_axis_set("axes", "1");
  CHECK(ns(axes) == doctest::Approx((4 + 4 / 512.0) / 4e3));
  CHECK(choose_gpu_plan(machine(), axes).entry.matters == false);
}

TEST_CASE("launches of a scan, a compaction and segments are counted") {
  Machine slow = machine();
  slow.gpu->launch_ns = 1000;
  slow.gpu->step_ns = 4000;
  const auto steps = [&](Operation operation, uint64_t n, uint64_t m) {
    Problem one = problem(operation, m);
    one.n = n;
    const GpuPlan plan = gpu::gpu_plans(one, gpu::limits_of(*slow.gpu)).front();
    const double all = gpu::plan_time(*slow.gpu, one, plan).ns_per_input;
    const double bytes = gpu::plan_time(*machine().gpu, one, plan).ns_per_input;
    // A call waits for one launch, and for each step.
    return ((all - bytes) * static_cast<double>(n) - 1000) / 4000;
  };
  // Tiles of 4096 values of 4 bytes: up to 8 are one launch.
  CHECK(steps(Operation::scan, 1, 1) == doctest::Approx(1));
  CHECK(steps(Operation::scan, uint64_t{8} * 4096, 1) == doctest::Approx(1));
  CHECK(steps(Operation::scan, uint64_t{8} * 4096 + 1, 1) == doctest::Approx(2));
  // Warps find heads among offsets up to 2^23 values; of more offsets than values bits are made, up to
  // 24 tiles in the launch itself.
  CHECK(steps(Operation::segmentedScan, uint64_t{8} * 4096, 10) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedScan, uint64_t{8} * 4096 + 1, 10) == doctest::Approx(2));
  CHECK(steps(Operation::segmentedScan, 1 << 23, 10) == doctest::Approx(2));
  CHECK(steps(Operation::segmentedScan, (1 << 23) + 1, 10) == doctest::Approx(3));
  constexpr uint64_t kTiles = uint64_t{24} * 4096;
  CHECK(steps(Operation::segmentedScan, kTiles, kTiles) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedScan, kTiles + 1, kTiles + 1) == doctest::Approx(3));
  // A block for each segment up to 2^18 values in at most 2^11 segments
  CHECK(steps(Operation::segmentedReduce, 1 << 18, 1 << 11) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedReduce, (1 << 18) + 1, 1) == doctest::Approx(2));
  // Groups of threads up to 2^21 values, in more segments than that
  CHECK(steps(Operation::segmentedReduce, 1 << 18, (1 << 11) + 1) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedReduce, 1 << 21, 1 << 11) == doctest::Approx(1));
  CHECK(steps(Operation::segmentedReduce, (1 << 21) + 1, 1 << 11) == doctest::Approx(2));
}

TEST_CASE("a multireduce in order has tables, or passes and tables or runs behind them") {
  const auto time = [](uint64_t m, const char* plan, const char* types = "u32+u32") {
    const Problem one = problem(Operation::multireduce, m, "uniform", types);
    return gpu::ordered_plan_time(*machine().gpu, one, parse_gpu_plan(plan));
  };
  // By hand: an input of 8 bytes is read in 2 ps; an atomic and four words take 1.5. 3200 warps leave two
  // tables of 1 KiB, written and read.
  const double inputs = 1 << 28;
  const auto tables = time(256, "sortBits=0");
  REQUIRE(tables.phases.size() == 1);
  CHECK(tables.ns_per_input == doctest::Approx(0.002 + 4 * 3200 * 1024 / inputs / 4e3));
  const auto sorted = time(1 << 16, "sortBits=8");
  REQUIRE(sorted.phases.size() == 3);
  CHECK(sorted.phases[0].name == "histogram");
  CHECK(sorted.phases[1].name == "partition");
  CHECK(sorted.phases[2].name == "tables");
  // By hand: besides, all buckets of 256 KiB are read and written.
  CHECK(sorted.phases[2].ns_per_input ==
        doctest::Approx(tables.ns_per_input + 2 * 4 * 65536 / inputs / 4e3));
  const auto runs = time(1 << 24, "sortBits=24,passes=3");
  REQUIRE(runs.phases.size() == 7);
  CHECK(runs.phases[6].name == "runs");
  CHECK(runs.phases[6].ns_per_input ==
        doctest::Approx((8 + 2 * 4 * 16777216 / inputs) / 4e3).epsilon(0.001));
  // By hand: labels and values of unequal size move as arrays: digits are counted of 4 bytes.
  const auto wide = time(1 << 20, "sortBits=20,passes=2", "u32+u64");
  CHECK(wide.phases[2].ns_per_input == doctest::Approx(4 / 4e3));
  for (const uint64_t m : {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 24}) {
    for (const uint64_t n : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 22, uint64_t{1} << 28}) {
      Problem one = problem(Operation::multireduce, m);
      one.n = n;
      const auto plans = gpu::ordered_gpu_plans(one);
      CHECK(!plans.empty());
      for (const GpuPlan& plan : plans) {
        CAPTURE(to_string(plan));
        CHECK(gpu::ordered_plan_time(*machine().gpu, one, plan).ns_per_input > 0);
        CHECK(std::count(plans.begin(), plans.end(), plan) == 1);
      }
    }
  }
}

}  // namespace
}  // namespace presort::tuner::gpu_ordered_time_test
