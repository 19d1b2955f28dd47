#include "presort/probe/analysis/spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "presort/core/measurement.h"
#include "presort/predict/sampling/student.h"

namespace presort::inline v0::probe {
namespace {

double square(double x) {
  return x * x;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Half-width of the 95 % interval of a trimmed mean of `values`: t s / sqrt(P), where the fifth of
// the values at each end is replaced by its nearest kept value (Tukey and McLaughlin, Sankhya A 25,
// 1963). 0 for fewer than two values.
double half_width(std::vector<double> values) {
  if (values.size() < 2) {
    return 0;
  }
  std::sort(values.begin(), values.end());
  const size_t count = values.size();
  const size_t cut = count / 5;
  for (size_t i = 0; i < cut; ++i) {
    values[i] = values[cut];
    values[count - 1 - i] = values[count - 1 - cut];
  }
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) {
    squares += square(value - mean);
  }
  const size_t kept = count - 2 * cut;
  const double deviation = std::sqrt(squares / static_cast<double>(count - 1)) *
                           static_cast<double>(count) / static_cast<double>(kept);
  return predict::student_quantile(kept - 1) * deviation / std::sqrt(static_cast<double>(count));
}

// Standard deviation of residuals from their quartiles, which a single slow slice does not move.
// Residuals are relative to their pass's median, so each pass takes one degree of freedom.
double robust_deviation(const std::vector<double>& residuals, size_t passes) {
  constexpr double kQuartilesOfNormal = 1.349;
  if (residuals.size() <= passes) {
    return 0;
  }
  const double width = quantile(residuals, 0.75) - quantile(residuals, 0.25);
  return width / kQuartilesOfNormal *
         std::sqrt(static_cast<double>(residuals.size()) /
                   static_cast<double>(residuals.size() - passes));
}

}  // namespace

double relative_uncertainty(const ValuesByPass& values) {
  std::vector<double> all;
  std::vector<double> medians;
  std::vector<double> residuals;
  for (const auto& [pass, slices] : values) {
    if (slices.empty()) {
      continue;
    }
    medians.push_back(median(slices));
    for (const double value : slices) {
      all.push_back(value);
      residuals.push_back(value - medians.back());
    }
  }
  const double centre = all.empty() ? 0 : median(all);
  if (centre == 0) {
    return 0;
  }
  const double within = 1.96 * robust_deviation(residuals, medians.size()) /
                        std::sqrt(static_cast<double>(medians.size()));
  return std::hypot(half_width(medians), within) / std::abs(centre);
}

double spread_of_passes(const std::vector<double>& values, double centre) {
  return centre == 0 ? 0 : half_width(values) / std::abs(centre);
}

}  // namespace presort::probe
