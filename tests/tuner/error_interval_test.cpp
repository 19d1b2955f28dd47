#include "presort/tuner/errors/error_interval.h"

#include <doctest/doctest.h>

#include <cmath>

namespace error_interval_test {

using namespace presort;
using namespace presort::tuner;

namespace {

Prediction prediction_of(std::vector<std::pair<std::string, double>> stack, double ci95 = 0) {
  Prediction prediction;
  for (const auto& [term, ns] : stack) {
    prediction.ns_per_input += ns;
  }
  prediction.stack_ns = std::move(stack);
  prediction.ci95_relative = ci95;
  PhasePrediction phase;
  phase.name = "update";
  phase.ns_per_input = prediction.ns_per_input;
  prediction.phases = {phase};
  return prediction;
}

double width(const Prediction& prediction) {
  const ErrorInterval interval = error_interval(prediction);
  return std::log(interval.high / interval.low) / 2;
}

}  // namespace

TEST_CASE("the interval is 1.28 standard deviations of all parts of the error") {
  const ErrorSpread spread;
  const double all =
      spread.mechanism * spread.mechanism + spread.phase * spread.phase + spread.own * spread.own;
  const Prediction one = prediction_of({{"memory", 4.0}});
  CHECK(width(one) == doctest::Approx(1.2816 * kErrorOfDraws * std::sqrt(all)));
  CHECK(error_interval(one).holds(4.0));
  CHECK_FALSE(error_interval(one).holds(8.0));
}

TEST_CASE("the last level, memory, page walks and stores are shared, a core's own caches are not") {
  const Prediction all = prediction_of({{"core", 1.0},
                                        {"L1d", 2.0},
                                        {"L2", 3.0},
                                        {"L3", 4.0},
                                        {"memoryLatency", 5.0},
                                        {"memoryBandwidth", 6.0},
                                        {"TLB", 7.0},
                                        {"branches", 8.0},
                                        {"stores", 9.0},
                                        {"dependence", 10.0}});
  CHECK(shared_part(all) == doctest::Approx(31.0 / 55));
  CHECK(shared_part(prediction_of({{"core", 1.0}, {"memoryLatency", 1.0}})) ==
        doctest::Approx(0.5));
  CHECK(shared_part(prediction_of({{"core", 3.0}, {"dependence", 0.0}, {"team", 1.0}})) ==
        doctest::Approx(0.25));
}

TEST_CASE("what is shared widens the interval") {
  const double core = width(prediction_of({{"core", 4.0}}));
  const double half = width(prediction_of({{"core", 2.0}, {"L2", 0.0}, {"memoryLatency", 2.0}}));
  const double memory = width(prediction_of({{"core", 0.0}, {"L2", 0.0}, {"memoryLatency", 4.0}}));
  CHECK(memory > half);
  CHECK(memory == doctest::Approx(std::hypot(core, 1.2816 * kErrorOfShared)));
}

TEST_CASE("several mechanisms err less together than one, and a sample's error adds") {
  const Prediction one = prediction_of({{"dependence", 4.0}});
  const Prediction two = prediction_of({{"dependence", 2.0}, {"branches", 2.0}});
  CHECK(width(two) < width(one));
  CHECK(width(prediction_of({{"dependence", 4.0}}, 0.5)) > width(one));
}

}  // namespace error_interval_test
