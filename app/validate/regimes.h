// Where predictions go wrong: errors by kind of plan, by the cache that holds the buckets, by
// problem; and the worst points.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/validate/points.h"
#include "app/validate/statistics.h"
#include "core/machine.h"

namespace presort::app {

// The points of one class of a grouping.
struct Regime {
  std::string name;            // "direct, 2MiB pages"
  std::vector<double> values;  // of each point: predicted / measured − 1
  ErrorSummary errors;
  double bias = 0;    // median of the values
  double spread = 0;  // median of the points' run-to-run spreads: no error means less than this
};

// All points that count, told apart by one property.
struct Grouping {
  std::string name;  // "buckets fit in"
  std::string key;   // the same in JSON: "buckets_fit_in"
  std::vector<Regime> regimes;
};

// By plan, by the first cache level that holds the buckets, by labels, types, n, operation,
// threads. Classes in order of first appearance, cache levels from the nearest to memory.
std::vector<Grouping> errors_by_regime(const std::vector<ProblemPoints>& all,
                                       const Machine& machine);

// "direct", "direct with prefetch", "pre-sorted, passes 1".
std::string plan_kind(const Plan& plan);

// "L2": the nearest level whose share of its capacity holds the m buckets; "memory" if none does.
std::string holder_of_buckets(const Machine& machine, const Problem& problem);

struct WorstPoint {
  const ProblemPoints* item = nullptr;
  const Point* point = nullptr;
  double error = 0;        // predicted / measured − 1
  double spread = 0;       // of its runs
  std::string buckets_in;  // holder_of_buckets
  // What most of the predicted time is blamed on, and its share: where to look for the mechanism.
  std::string term;
  double term_share = 0;
};

// The `count` largest absolute errors, largest first. The points must outlive the result.
std::vector<WorstPoint> worst_points(const std::vector<ProblemPoints>& all, const Machine& machine,
                                     size_t count);

}  // namespace presort::app
