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
  constexpr Operation kOperationsOfGpu[] = {Operation::multireduce,     Operation::scatter,
                                            Operation::gather,          Operation::partialSort,
                                            Operation::segmentedReduce, Operation::segmentedScan};
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
  CHECK(run(Operation::partialSort, 3000, "u32+u32", "sortBits=12,passes=3").checked);
  CHECK_THROWS_WITH_AS(run(Operation::partialSort, 3000, "u32+u32", "sortBits=11"),
                       doctest::Contains("is by all of their bits"), PlanError);
}

}  // namespace
}  // namespace presort::gpu::runner_test
