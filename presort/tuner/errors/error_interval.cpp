#include "presort/tuner/errors/error_interval.h"

#include <cmath>
#include <string>

namespace presort::inline v0::tuner {

double shared_part(const Prediction& prediction) {
  const TimeStack& stack = prediction.stack_ns;
  double ns = 0;
  for (size_t i = 0; i < stack.size(); ++i) {
    const std::string& term = stack[i].first;
    const bool last_level = i + 1 < stack.size() && stack[i + 1].first == "memoryLatency" && i > 0;
    if (last_level || term == "memoryLatency" || term == "memoryBandwidth" || term == "TLB" ||
        term == "stores" || term == "team") {
      ns += stack[i].second;
    }
  }
  return ns / prediction.ns_per_input;
}

ErrorInterval error_interval(const Prediction& prediction, const ErrorSpread& spread) {
  // An interval of ±1.2816 standard deviations holds 80 % of normal errors
  constexpr double kOf80Percent = 1.2816;
  constexpr double kOf95Percent = 1.96;
  const double sampled = prediction.ci95_relative / kOf95Percent;
  const double shared = kErrorOfShared * shared_part(prediction);
  const double variance =
      kErrorOfDraws * kErrorOfDraws * error_covariance({&prediction, 1}, spread)[0][0] +
      sampled * sampled + shared * shared;
  const double factor = std::exp(kOf80Percent * std::sqrt(variance));
  return {prediction.ns_per_input / factor, prediction.ns_per_input * factor};
}

}  // namespace presort::tuner
