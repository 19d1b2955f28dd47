#include "presort/sim/pipeline/branch_predictor.h"

#include <doctest/doctest.h>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim::branch_predictor_test {
namespace {

// Counts mispredictions in the last 1000 of 5000 branches, whose outcomes are those of `outcome`.
template <class Outcome>
int late_misses(Outcome outcome) {
  BranchPredictor predictor;
  int misses = 0;
  for (uint64_t i = 0; i < 5000; ++i) {
    misses += !predictor.predict(0x400, outcome(i)) && i >= 4000;
  }
  return misses;
}

TEST_CASE("constant and short periodic outcomes are learned") {
  CHECK(late_misses([](uint64_t) { return true; }) == 0);
  CHECK(late_misses([](uint64_t) { return false; }) == 0);
  CHECK(late_misses([](uint64_t i) { return i % 2 == 0; }) == 0);
  CHECK(late_misses([](uint64_t i) { return i % 8 == 7; }) == 0);
}

TEST_CASE("random outcomes are missed half of the time") {
  const int misses = late_misses([](uint64_t i) { return random_u64(1, i) % 2 == 0; });
  CHECK(misses > 440);
  CHECK(misses < 560);
}

}  // namespace
}  // namespace presort::sim::branch_predictor_test
