#include "presort/tuner/error_interval.h"

#include <cmath>

namespace presort::inline v0::tuner {

ErrorInterval error_interval(const Prediction& prediction, const ErrorSpread& spread) {
  // An interval of ±1.2816 standard deviations holds 80 % of normal errors
  constexpr double kOf80Percent = 1.2816;
  constexpr double kOf95Percent = 1.96;
  const double sampled = prediction.ci95_relative / kOf95Percent;
  const double variance =
      kErrorOfDraws * kErrorOfDraws * error_covariance({&prediction, 1}, spread)[0][0] +
      sampled * sampled;
  const double factor = std::exp(kOf80Percent * std::sqrt(variance));
  return {prediction.ns_per_input / factor, prediction.ns_per_input * factor};
}

}  // namespace presort::tuner
