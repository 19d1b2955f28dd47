// Prediction errors of points grouped by one property: median, tail and bias of each class.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

// The prediction errors of one class of points.
struct Regime {
  std::string name;            // name of the class: "direct, 2MiB pages"
  std::vector<double> values;  // errors of the points of the class: predicted / measured − 1
  ErrorSummary errors;
  double bias = 0;  // median of the errors in `values`
  // Median of the relative spreads of the points' runs; errors below it mean nothing
  double spread = 0;
  // Share of the points whose prediction's 80 % interval holds the measured time; no value where
  // predictions have no interval.
  std::optional<double> inside = {};
};

// All kept points of a validation, grouped by one property.
struct Grouping {
  std::string name;  // name of the property: "buckets fit in"
  std::string key;   // name of the property in JSON: "buckets_fit_in"
  std::vector<Regime> regimes;
};

// A point (a problem with a plan, predicted and measured) with the class that it belongs to.
// Classes are listed by rank, then by first appearance.
struct ClassedPoint {
  size_t rank = 0;
  std::string name;                 // name of the point's class
  double error = 0;                 // prediction error of the point: predicted / measured − 1
  double spread = 0;                // relative spread of the times of the point's runs
  std::optional<bool> inside = {};  // true: the measured time is in the prediction's 80 % interval
};

Grouping group_points(const std::string& name, const std::string& key,
                      const std::vector<ClassedPoint>& points);

}  // namespace presort::app
