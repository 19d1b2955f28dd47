// Where predictions go wrong: errors by kind of plan and page size, and the worst points.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/validate/points.h"
#include "app/validate/statistics.h"

namespace presort::app {

struct Regime {
  std::string name;  // "direct, 2MiB pages"
  ErrorSummary errors;
  double bias = 0;  // median of predicted / measured − 1
};

// Of all points that count, in order of first appearance.
std::vector<Regime> errors_by_regime(const std::vector<ProblemPoints>& all);

struct WorstPoint {
  const ProblemPoints* item = nullptr;
  const Point* point = nullptr;
  double error = 0;  // predicted / measured − 1
  // What most of the predicted time is blamed on, and its share: where to look for the mechanism.
  std::string term;
  double term_share = 0;
};

// The `count` largest absolute errors, largest first. The points must outlive the result.
std::vector<WorstPoint> worst_points(const std::vector<ProblemPoints>& all, size_t count);

}  // namespace presort::app
