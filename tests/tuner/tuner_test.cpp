#include "tuner/tuner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace presort::tuner {
namespace {

// Two small cache levels, a slow memory and prefetched streams, so that a few thousand buckets
// already overflow the caches and reading the input once more is cheap.
Machine machine() {
  Machine machine;
  machine.name = "small";
  machine.clock_hz = 1e9;
  machine.window = {.entries = 64, .loads = 24, .stores = 16};
  machine.caches = {
      {.name = "L1", .size_bytes = 4096, .ways = 4, .latency_cycles = 4, .queue = 4},
      {.name = "L2", .size_bytes = 65536, .ways = 8, .latency_cycles = 12, .queue = 8},
  };
  machine.prefetchers = {{"L1", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 16}};
  machine.memory = {.latency_ns = 200, .bandwidth = 8e9};
  return machine;
}

Problem problem(uint64_t m, const char* distribution = "uniform") {
  Problem problem;
  problem.n = uint64_t{1} << 18;
  problem.m = m;
  problem.distribution = parse_distribution("dist", distribution);
  return problem;
}

PlanGrid small_grid() {
  PlanGrid grid;
  grid.sort_bits = {2, 4, 6};
  grid.passes = {1, 2};
  grid.buffer_bytes = {64, 256};
  return grid;
}

TEST_CASE("plans of several threads come with each number of them, and with private tables") {
  PlanGrid grid = small_grid();
  const size_t alone = candidate_plans(grid, problem(1 << 10)).size();
  grid.threads = {1, 4};
  const std::vector<Plan> plans = candidate_plans(grid, problem(1 << 10));
  const auto tables = [](const Plan& plan) {
    return plan.base.strategy == Strategy::privateTables;
  };
  const auto four = [](const Plan& plan) { return plan.resources.threads == 4; };
  CHECK(std::count_if(plans.begin(), plans.end(), tables) == 3);
  CHECK(plans.size() == 2 * alone + 2);
  CHECK(static_cast<size_t>(std::count_if(plans.begin(), plans.end(), four)) == alone + 2);
  CHECK(std::is_partitioned(plans.begin(), plans.end(),
                            [](const Plan& plan) { return !plan.presort; }));
}

Choice choose(const Problem& problem) {
  const predict::Predictor predictor(machine(), {.ci95_relative = 0.05});
  return choose_plan(predictor, small_grid(), problem,
                     make_labels(problem.distribution, problem.n, problem.m, problem.seed));
}

double least(const Choice& choice, bool presorted) {
  double best = INFINITY;
  for (const Prediction& prediction : choice.predictions) {
    if (prediction.plan.presort.has_value() == presorted) {
      best = std::min(best, prediction.ns_per_input);
    }
  }
  return best;
}

TEST_CASE("candidates are legal, different from each other, and begin without a pre-sort") {
  for (const uint64_t m : {1, 2, 3, 64, 65, 1 << 20}) {
    const Problem what = problem(m);
    PlanGrid grid = small_grid();
    grid.plain_radix = true;
    grid.page_sizes = {PageSize::k4KiB, PageSize::k2MiB};
    const std::vector<Plan> plans = candidate_plans(grid, what);
    REQUIRE(!plans.empty());
    CHECK(!plans.front().presort);
    for (size_t i = 0; i < plans.size(); ++i) {
      CHECK_NOTHROW(check_plan(plans[i], what));
      CHECK(std::count(plans.begin(), plans.end(), plans[i]) == 1);
    }
  }
}

TEST_CASE("candidates are the whole product of the grid where all of it is legal") {
  // 2 prefetch distances, 1 of the inputs alone; 3 sortBits × 2 passes × 2 buffers, and 3 × 2 plain
  // radix sorts.
  PlanGrid grid = small_grid();
  CHECK(candidate_plans(grid, problem(1 << 20)).size() == 3 + 12);
  grid.plain_radix = true;
  CHECK(candidate_plans(grid, problem(1 << 20)).size() == 3 + 18);
}

TEST_CASE("listed plans are taken alone, with the plain loop, where they are legal") {
  PlanGrid grid = small_grid();
  grid.listed = {parse_plan("sortBits=5"), parse_plan("sortBits=9,bufferBytes=64"), Plan{}};
  CHECK(candidate_plans(grid, problem(1 << 20)) ==
        std::vector<Plan>{Plan{}, grid.listed[0], grid.listed[1]});
  CHECK(candidate_plans(grid, problem(64)) == std::vector<Plan>{Plan{}, grid.listed[0]});
}

TEST_CASE("bits that the labels do not have are left out") {
  const std::vector<Plan> plans = candidate_plans(small_grid(), problem(16));
  for (const Plan& plan : plans) {
    CHECK((!plan.presort || plan.presort->sort_bits <= 4));
  }
  CHECK(candidate_plans(small_grid(), problem(1)).size() == 4);
}

TEST_CASE("buckets far beyond the caches are pre-sorted, and it matters") {
  const Choice choice = choose(problem(1 << 16));
  CHECK(choice.entry.plan.presort.has_value());
  CHECK(choice.entry.matters);
  CHECK(choice.entry.predicted_ns_per_input == least(choice, true));
  CHECK(choice.entry.predicted_ns_per_input < choice.entry.direct_ns_per_input);
  CHECK(!choice.entry.direct_plan.presort);
}

TEST_CASE("buckets that fit the nearest cache are not") {
  const Choice choice = choose(problem(1 << 8));
  CHECK(!choice.entry.plan.presort);
  CHECK(choice.entry.matters);
  CHECK(choice.entry.plan == choice.entry.direct_plan);
  CHECK(choice.entry.direct_ns_per_input <= least(choice, false) * (1 + kPrefetchTie));
}

TEST_CASE("it matters exactly when the margin exceeds the model's own error") {
  for (int log_m = 8; log_m <= 20; log_m += 2) {
    const Choice choice = choose(problem(uint64_t{1} << log_m));
    const double margin = std::abs(least(choice, true) / choice.entry.direct_ns_per_input - 1);
    CHECK(choice.entry.matters == (margin > kModelError));
  }
}

TEST_CASE("near a tie, prefetching is chosen only for buckets beyond the private caches") {
  for (int log_m = 8; log_m <= 20; log_m += 2) {
    const Choice choice = choose(problem(uint64_t{1} << log_m));
    double plain = INFINITY;
    double prefetched = INFINITY;
    for (const Prediction& prediction : choice.predictions) {
      if (!prediction.plan.presort) {
        double& best = prediction.plan.base.prefetch_distance > 0 ? prefetched : plain;
        best = std::min(best, prediction.ns_per_input);
      }
    }
    const double ratio = plain / prefetched;
    const bool tie = std::abs(ratio - 1) <= kPrefetchTie;
    const bool beyond = (uint64_t{4} << log_m) > 4096 + 65536;
    CHECK((choice.entry.direct_plan.base.prefetch_distance > 0) == (tie ? beyond : ratio > 1));
  }
}

TEST_CASE("the runner-up is another decision than the plan") {
  const Choice choice = choose(problem(1 << 16));
  const Plan& plan = choice.entry.plan;
  const Plan& other = choice.entry.runner_up;
  REQUIRE(plan.presort);
  const bool same = other.presort && other.presort->sort_bits == plan.presort->sort_bits &&
                    other.presort->passes == plan.presort->passes;
  CHECK(!same);
  CHECK(choice.entry.runner_up_ns_per_input >= choice.entry.predicted_ns_per_input);
}

TEST_CASE("one bucket has no pre-sort to compare with") {
  const Choice choice = choose(problem(1));
  CHECK(!choice.entry.plan.presort);
  CHECK(!choice.entry.matters);
}

}  // namespace
}  // namespace presort::tuner
