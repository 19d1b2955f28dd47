// Tests tiles that a partition leaves out because their labels are in order: the rule, beside a
// plain count of neighbours, and what closed form and simulation make of it.
#include "presort/gpu/plan/left_out_tiles.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/gpu/plan/bundled_gpus.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/gpu/gpu_simulation.h"

namespace presort::inline v0::predict::left_out_tiles_test {
namespace {

constexpr uint64_t kInputs = uint64_t{1} << 24;

Problem problem_of(const std::string& labels, uint64_t m) {
  Problem problem;
  problem.n = kInputs;
  problem.m = m;
  problem.distribution = parse_distribution("dist", labels);
  return problem;
}

GpuPlan plan_of(const std::string& keys) {
  return parse_gpu_plan(keys);
}

// Share of tiles of 8192 inputs whose neighbours in rows of 32 rise or stay but for one of 16, and
// of which at least one of 32 rises.
double share_of_tiles_in_order(const Problem& problem) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  constexpr uint64_t kTile = 8192;
  constexpr uint64_t kTiles = 64;
  int in_order = 0;
  for (uint64_t tile = 0; tile < kTiles; ++tile) {
    std::vector<uint64_t> of_tile(kTile);
    const uint64_t first = tile * (problem.n / kTiles);
    labels->generate(first, of_tile);
    uint64_t rising = 0;
    uint64_t different = 0;
    for (uint64_t i = 0; i < kTile; ++i) {
      const bool begins_row = i % 32 == 0;
      rising += begins_row || of_tile[i - 1] <= of_tile[i] ? 1 : 0;
      different += !begins_row && of_tile[i - 1] != of_tile[i] ? 1 : 0;
    }
    in_order += rising >= kTile - kTile / 16 && different >= kTile / 32 ? 1 : 0;
  }
  return in_order / static_cast<double>(kTiles);
}

}  // namespace

TEST_CASE("the rule says what a count of neighbours says, away from its borders") {
  for (const char* labels :
       {"uniform", "zipf:1", "sorted", "sequential", "strays:0.01", "strays:0.3", "degenerate",
        "cells:1", "clustered:16", "clustered:100"}) {
    for (const uint64_t m : {uint64_t{1} << 10, uint64_t{1} << 22, uint64_t{1} << 27}) {
      const Problem problem = problem_of(labels, m);
      CAPTURE(labels);
      CAPTURE(m);
      const bool is_left_out = gpu::leaves_out_in_order(problem.distribution, problem.n, m);
      CHECK(share_of_tiles_in_order(problem) == doctest::Approx(is_left_out ? 1 : 0).epsilon(0.1));
    }
  }
}

TEST_CASE("only a pre-sort in one pass that makes rooms of a sample leaves tiles out") {
  Problem problem = problem_of("sorted", uint64_t{1} << 22);
  CHECK(gpu::moves_nothing(plan_of("sortBits=8"), problem));
  CHECK_FALSE(gpu::moves_nothing(plan_of("sortBits=0"), problem));
  CHECK_FALSE(gpu::moves_nothing(plan_of("sortBits=8,passes=2"), problem));
  CHECK_FALSE(gpu::moves_nothing(plan_of("sortBits=8,strategy=globalSets"), problem));
  problem.n = kInputs - 1;
  CHECK_FALSE(gpu::moves_nothing(plan_of("sortBits=8"), problem));
}

TEST_CASE("a pre-sort of labels in order takes what was measured, and no tables") {
  // Times of one H200, 2026-11-27, ns an input: 2^26 u32 into 2^23 by 9 bits 0.0069, 2^26 f64 into
  // 2^22 by 8 bits 0.0083. Moved, they would take 0.0106 and 0.019.
  struct Measured {
    ScalarType value;
    int log2_m;
    const char* plan;
    double ns;
  };
  for (const Measured& measured : {Measured{ScalarType::u32, 23, "sortBits=9", 0.0069},
                                   Measured{ScalarType::f64, 22, "sortBits=8", 0.0083}}) {
    Problem problem = problem_of("sorted", uint64_t{1} << measured.log2_m);
    problem.n = uint64_t{1} << 26;
    problem.types.value = measured.value;
    const gpu::PlanTime time =
        gpu::plan_time(gpu::bundled_gpus().front(), problem, plan_of(measured.plan));
    CHECK(time.ns_per_input > 0.75 * measured.ns);
    CHECK(time.ns_per_input < 1.25 * measured.ns);
    CHECK(time.phases[1].ns_per_input < 0.002);  // labels alone
    CHECK(time.phases[2].name == "left out");
  }
}

TEST_CASE("a simulated pre-sort of labels in order reads labels, then updates once a run") {
  static const Machine machine =
      io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/h200.yaml");
  // Eight inputs a bucket: a warp of 32 has four runs, and one sector of buckets.
  const Problem problem = problem_of("sequential", kInputs / 8);
  const GpuPrediction prediction =
      simulate_gpu_plan(*machine.gpu_hardware, problem, plan_of("sortBits=8"),
                        make_labels(problem.distribution, problem.n, problem.m, problem.seed));
  REQUIRE(prediction.phases.size() == 3);
  CHECK(prediction.phases[1].counts.sectors == doctest::Approx(4 / 32.0).epsilon(0.001));
  CHECK(prediction.phases[2].name == "left out");
  CHECK(prediction.phases[2].counts.atomic_lanes == doctest::Approx(4 / 32.0).epsilon(0.001));
  CHECK(prediction.phases[2].counts.atomic_sectors == doctest::Approx(1 / 32.0).epsilon(0.001));
}

}  // namespace presort::predict::left_out_tiles_test
