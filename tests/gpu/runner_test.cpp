#include "presort/gpu/runner/runner.h"

#include <doctest/doctest.h>

#include "presort/core/error.h"

namespace presort::inline v0::gpu::runner_test {
namespace {

GpuMeasurement run(Operation operation, uint64_t m, const char* types, const char* plan) {
  const Problem problem{.operation = operation,
                        .n = 300007,
                        .m = m,
                        .distribution = parse_distribution("dist", "zipf:1.25"),
                        .types = parse_types("types", types)};
  const auto labels = make_labels(problem.distribution, problem.n, m, problem.seed);
  return measure(problem, plan ? parse_gpu_plan(plan) : choose_plan(problem, *labels), labels, 2,
                 true);
}

TEST_CASE("labels of one and two bytes are counted by rule and by any plan") {
  constexpr const char* kPlans[] = {nullptr, "strategy=sharedSets", "strategy=globalSets",
                                    "strategy=sharedSets,rangePasses=2",
                                    "strategy=sharedSets,sortBits=4"};
  for (const char* plan : kPlans) {
    for (const uint64_t m : {17, 256, 65536}) {
      for (const char* types : {"u8+u32", "u8+u64", "u16+u32", "u16+u64"}) {
        if (m > 256 && types[1] == '8') {
          continue;
        }
        CAPTURE(m);
        CAPTURE(types);
        const GpuMeasurement measurement = run(Operation::histogram, m, types, plan);
        CHECK(measurement.checked);
        CHECK(measurement.samples_ns_per_input.size() == 2);
      }
    }
  }
}

TEST_CASE("labels of one and two bytes are refused but by a histogram") {
  for (const char* types : {"u8+u32", "u16+f64"}) {
    CHECK_THROWS_WITH_AS(run(Operation::multireduce, 200, types, "strategy=sharedSets"),
                         doctest::Contains("a histogram has u8, u16 too"), PlanError);
  }
  CHECK(run(Operation::multireduce, 200, "u32+u32", nullptr).checked);
}

TEST_CASE("every operation of the command is checked, by rule") {
  constexpr Operation kOperationsOfGpu[] = {Operation::multireduce,
                                            Operation::scatter,
                                            Operation::gather,
                                            Operation::partialSort,
                                            Operation::multireduceInOrder,
                                            Operation::segmentedReduce,
                                            Operation::segmentedScan};
  for (const Operation operation : kOperationsOfGpu) {
    for (const uint64_t m : {2, 3000, 1 << 20}) {
      for (const char* types : {"u32+u32", "u64+u64", "u32+u64", "u64+f32", "u32+f64", "u32+i32"}) {
        CAPTURE(to_name(kOperations, operation));
        CAPTURE(m);
        CAPTURE(types);
        CHECK(run(operation, m, types, nullptr).checked);
      }
    }
  }
  for (const uint64_t m : {2, 3000, 1 << 20}) {
    CAPTURE(m);
    for (const char* types : {"u32+u32", "u64+u64", "u32+f64"}) {
      CAPTURE(types);
      CHECK(run(Operation::multiscan, m, types, nullptr).checked);
    }
    CHECK(run(Operation::multitag, m, "u32+u32", nullptr).checked);
    CHECK(run(Operation::multitag, m, "u64+u64", nullptr).checked);
  }
  CHECK(run(Operation::multiscan, 3000, "u32+u32", "sortBits=12,passes=2").checked);
  CHECK(run(Operation::multireduceInOrder, 3000, "u32+f32", "sortBits=12,passes=2").checked);
  CHECK_THROWS_AS(run(Operation::multireduceInOrder, 3000, "u32+u32", "strategy=globalSets"),
                  PlanError);
  CHECK(run(Operation::partialSort, 3000, "u32+u32", "sortBits=12,passes=3").checked);
  CHECK_THROWS_WITH_AS(run(Operation::partialSort, 3000, "u32+u32", "sortBits=11"),
                       doctest::Contains("is by all of their bits"), PlanError);
}

GpuMeasurement run_ordered(Operation operation, uint64_t n, uint64_t m, const char* types,
                           const char* distribution = "uniform") {
  const Problem problem{.operation = operation,
                        .n = n,
                        .m = m,
                        .distribution = parse_distribution("dist", distribution),
                        .types = parse_types("types", types)};
  const auto labels = make_labels(problem.distribution, n, m, problem.seed);
  return measure(problem, choose_plan(problem, *labels), labels, 2, true);
}

GpuMeasurement run_axes(const char* shape, const char* axes, const char* types) {
  Problem problem{.operation = Operation::reduceAxes, .types = parse_types("types", types)};
  problem.shape = parse_extents("shape", shape);
  problem.axes = parse_axis_set("axes", axes);
  problem.n = element_count(problem.shape);
  problem.m = kept_count(problem.shape, problem.axes);
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  return measure(problem, choose_plan(problem, *labels), labels, 2, true);
}

TEST_CASE("scans and compactions are checked, of one value and around the ends of tiles") {
  for (const uint64_t n : {1, 2, 4095, 4096, 4097, 8 * 4096 + 1, (1 << 21) + 1, 3000001}) {
    CAPTURE(n);
    for (const char* types : {"u32+u32", "u32+i32", "u64+u64", "u32+f32", "u32+f64"}) {
      CAPTURE(types);
      CHECK(run_ordered(Operation::scan, n, 1, types).checked);
    }
    for (const char* types : {"u8+u32", "u8+i64", "u8+f32", "u8+f64"}) {
      CAPTURE(types);
      CHECK(run_ordered(Operation::compact, n, 1, types).checked);
      CHECK(run_ordered(Operation::compact, n, 2, types).checked);
      CHECK(run_ordered(Operation::compact, n, 256, types, "sorted").checked);
      CHECK(run_ordered(Operation::compact, n, 256, types, "degenerate").checked);
    }
  }
}

TEST_CASE("reductions over axes are checked, of every set of axes of some shapes") {
  for (const char* types : {"u32+u32", "u32+u64", "u32+f32", "u32+f64"}) {
    CAPTURE(types);
    for (const char* shape : {"1", "100003", "7x1x31", "64x33x128", "2x3x4x5x6"}) {
      CAPTURE(shape);
      const int count = parse_extents("shape", shape).count;
      for (uint32_t bits = 1; bits < 1u << count; ++bits) {
        const std::string axes = to_string(AxisSet{bits});
        CAPTURE(axes);
        CHECK(run_axes(shape, axes.c_str(), types).checked);
      }
    }
  }
}

TEST_CASE("problems without labels that name buckets, or flags of four bytes, are not run") {
  CHECK_THROWS_WITH_AS(run_ordered(Operation::scan, 1000, 2, "u32+u32"),
                       "m: found '2', accepted: 1: a scan has no buckets", InputError);
  CHECK_THROWS_WITH_AS(run_ordered(Operation::compact, 1000, 2, "u32+u32"),
                       doctest::Contains("for the flags of compact, accepted: u8"), InputError);
  CHECK_THROWS_WITH_AS(run_axes("10x10", "2", "u32+u32"),
                       doctest::Contains("axes: found '2', accepted: one axis or several"),
                       InputError);
}

}  // namespace
}  // namespace presort::gpu::runner_test
