// Means, quantiles and error summaries. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

namespace presort::inline v0::app {

double mean(const std::vector<double>& values);  // arithmetic mean. Requires: values is not empty

// Relative spread of the times of a point's runs: distance of the quartiles / median. 0 for one
// value.
double relative_spread(const std::vector<double>& values);

// Relative error of a prediction: predicted / measured − 1.
// Requires: measured > 0
double relative_error(double predicted, double measured);

// A summary of the absolute values of errors; all 0 when there are no errors.
struct ErrorSummary {
  size_t points = 0;
  double median_abs = 0;
  double p90_abs = 0;
  double max_abs = 0;
};
ErrorSummary summarise_errors(const std::vector<double>& relative_errors);

struct Interval {
  double low = 0;
  double high = 0;
};
// The interval of the middle 95 % of bootstrap replicates.
// Requires: not empty
Interval middle_95_percent(const std::vector<double>& replicates);

}  // namespace presort::app
