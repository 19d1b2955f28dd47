// Tests predictions of samples beside those of all inputs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/predict/laptop.h"
#include "tests/some_of.h"

namespace presort::inline v0::predict::sampled_prediction_test {
namespace {

using doctest::Approx;
using on_laptop::laptop;
using on_laptop::predict;
using on_laptop::problem;
using on_laptop::problem_of;
using on_laptop::sum_of;

struct Case {
  int n_bits;
  int m_bits;
  const char* distribution;
  const char* plan;
  uint64_t seed;
};

const std::vector<Case> kCases = {
    {19, 12, "uniform", "sortBits=0", 2},
    {20, 18, "uniform", "sortBits=0", 3},
    {20, 20, "uniform", "sortBits=0,pageSize=4KiB", 4},
    {19, 20, "uniform", "sortBits=0,prefetchDistance=16", 5},
    {20, 20, "uniform", "sortBits=6,passes=1", 6},
    {20, 20, "uniform", "sortBits=10,passes=2,layout=separate", 7},
    {19, 18, "uniform", "sortBits=8,passes=1,streaming=false", 8},
    {20, 18, "zipf:1", "sortBits=0", 9},
    {20, 18, "sequential", "sortBits=0", 10},
    {20, 20, "uniform", "sortBits=2,passes=1", 11},
    {20, 18, "uniform", "sortBits=10,passes=1,strategy=plainRadix", 12},
    {18, 16, "uniform", "sortBits=8,passes=1,strategy=plainRadix", 13},
};

TEST_CASE("a sample says what simulating every input says, within its interval or 5 %") {
  int far = 0;
  for (const Case& each : presort::test::some_of(kCases, 5)) {
    const Problem what = problem(uint64_t{1} << each.n_bits, uint64_t{1} << each.m_bits,
                                 each.distribution, each.seed);
    const Prediction sampled = predict(laptop(), what, each.plan);
    const Prediction full = predict(laptop(), what, each.plan, {.full = true});
    const double error = std::abs(sampled.ns_per_input / full.ns_per_input - 1);
    INFO(to_string(what), " ", each.plan, ": sampled ", sampled.ns_per_input, " +- ",
         sampled.ci95_relative, ", full ", full.ns_per_input);
    CHECK(error < 0.10);
    const bool near = error <= std::max(0.05, 3 * sampled.ci95_relative);
    WARN(near);
    far += !near;
  }
  CHECK(far <= 1);
}

// Operations with results, or with labels alone: the predicted time per input of a large problem
// that is sampled is near that of a smaller one simulated whole.
TEST_CASE("a sampled prediction of any operation is near one of all inputs of a shorter problem") {
  for (const Operation operation :
       {Operation::gather, Operation::histogram, Operation::multiscan, Operation::multitag}) {
    for (const char* plan : {"sortBits=0", "sortBits=7", "sortBits=7,layout=separate"}) {
      Problem what = problem(uint64_t{1} << 24, 1 << 17);
      what.operation = operation;
      CAPTURE(to_string(what));
      CAPTURE(plan);
      const double sampled = predict(laptop(), what, plan).ns_per_input;
      what.n = uint64_t{1} << 19;
      const double all = predict(laptop(), what, plan).ns_per_input;
      MESSAGE(to_name(kOperations, operation)
              << " " << plan << ": all " << all << ", sampled " << sampled);
      CHECK(sampled == Approx(all).epsilon(0.1));
    }
  }
}

TEST_CASE("a narrower interval asks for more inputs and comes out narrower") {
  const Problem what = problem(1 << 22, 1 << 18, "zipf:1");
  const Prediction coarse = predict(laptop(), what, "sortBits=0", {.ci95_relative = 0.1});
  const Prediction fine = predict(laptop(), what, "sortBits=0", {.ci95_relative = 0.002});
  CHECK(fine.simulated_inputs > coarse.simulated_inputs);
  CHECK(fine.ci95_relative < coarse.ci95_relative);
}

TEST_CASE("sorts and segments: slices give what all items give") {
  const std::pair<Problem, const char*> cases[] = {
      {problem_of(Operation::partialSort, 1 << 20, 256), "sortBits=8"},
      {problem_of(Operation::partialSort, 1 << 20, 256), "sortBits=8,passes=2,layout=separate"},
      {problem_of(Operation::partialSort, 1 << 20, 1 << 10), "sortBits=0"},
      {problem_of(Operation::segmentedReduce, 1 << 20, 1 << 8), "sortBits=0"},
      {problem_of(Operation::segmentedReduce, 1 << 20, 1 << 19), "sortBits=0"},
      {problem_of(Operation::segmentedScan, 1 << 20, 1 << 16), "sortBits=0"},
      {problem_of(Operation::segmentedScan, 1 << 20, 1 << 12, "zipf:1"), "sortBits=0"},
  };
  for (const auto& [what, plan] : cases) {
    CAPTURE(to_string(what));
    CAPTURE(plan);
    const Prediction all = predict(laptop(), what, plan, {.full = true});
    const Prediction some =
        predict(laptop(), what, plan, {.ci95_relative = 0.01, .replayed_inputs = 1 << 16});
    CHECK(some.simulated_inputs < all.simulated_inputs);
    CHECK(some.ns_per_input == Approx(all.ns_per_input).epsilon(0.05));
    CHECK(sum_of(all.stack_ns) == Approx(all.ns_per_input).epsilon(1e-6));
  }
}

}  // namespace
}  // namespace presort::predict::sampled_prediction_test
