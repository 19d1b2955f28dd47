#include "presort/tuner/error_interval.h"

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

TEST_CASE("several mechanisms err less together than one, and a sample's error adds") {
  const Prediction one = prediction_of({{"memory", 4.0}});
  const Prediction two = prediction_of({{"memory", 2.0}, {"TLB", 2.0}});
  CHECK(width(two) < width(one));
  CHECK(width(prediction_of({{"memory", 4.0}}, 0.5)) > width(one));
}

}  // namespace error_interval_test
