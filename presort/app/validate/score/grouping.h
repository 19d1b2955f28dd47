// Errors of points grouped by one property: median, tail and bias of each class.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

// The points of one class of a grouping.
struct Regime {
  std::string name;            // name of the class: "direct, 2MiB pages"
  std::vector<double> values;  // for each point: predicted / measured − 1
  ErrorSummary errors;
  double bias = 0;    // median of the values
  double spread = 0;  // median of the points' run-to-run spreads; smaller errors mean nothing
  // Share of the points whose prediction's 80 % interval holds the measured time; nothing where points
  // have no interval.
  std::optional<double> inside = {};
};

// All points that count, grouped by one property.
struct Grouping {
  std::string name;  // "buckets fit in"
  std::string key;   // name in JSON: "buckets_fit_in"
  std::vector<Regime> regimes;
};

// A point (a problem with a plan, predicted and measured) with the class that it belongs to. Classes are listed by rank, then by first appearance.
struct ClassedPoint {
  size_t rank = 0;
  std::string name;                 // name of its class
  double error = 0;                 // predicted / measured − 1
  double spread = 0;                // relative spread of the point's runs
  std::optional<bool> inside = {};  // measured within the prediction's 80 % interval
};

Grouping group_points(const std::string& name, const std::string& key,
                      const std::vector<ClassedPoint>& points);

}  // namespace presort::app
