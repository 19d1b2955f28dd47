#include "presort/app/validate/score/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "presort/core/measurement.h"

namespace presort::inline v0::app {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double relative_spread(const std::vector<double>& values) {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}

double relative_error(double predicted, double measured) {
  return predicted / measured - 1;
}

ErrorSummary summarise_errors(const std::vector<double>& relative_errors) {
  if (relative_errors.empty()) {
    return {};
  }
  std::vector<double> absolute;
  for (const double error : relative_errors) {
    absolute.push_back(std::abs(error));
  }
  return {absolute.size(), median(absolute), quantile(absolute, 0.9), quantile(absolute, 1)};
}

Interval middle_95_percent(const std::vector<double>& replicates) {
  return {quantile(replicates, 0.025), quantile(replicates, 0.975)};
}

}  // namespace presort::app
