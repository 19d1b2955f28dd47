// Groups prediction errors by kind of plan, by the cache that holds the buckets, and by properties
// of the problem; finds the worst points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "presort/app/validate/points.h"
#include "presort/app/validate/score/grouping.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// Prediction errors grouped by plan, by the first cache level that holds the buckets, by labels,
// types, n, operation, threads. Classes stand in order of first appearance, cache levels from the
// nearest to memory.
std::vector<Grouping> errors_by_regime(const std::vector<ProblemPoints>& all,
                                       const Machine& machine);

// The kind of a plan as text: "direct", "direct with prefetch", "pre-sorted, passes 1".
std::string plan_kind(const CpuPlan& plan);

// Index of the nearest cache level that holds so many bytes in the share of its capacity that a
// core has; the number of levels if none does.
size_t holding_level(const Machine& machine, uint64_t bytes);
// The name of a cache level: "L2"; "memory" if `level` is the number of levels.
std::string level_name(const Machine& machine, size_t level);

// Name of the nearest cache level that holds all m buckets.
std::string holder_of_buckets(const Machine& machine, const Problem& problem);

struct WorstPoint {
  const ProblemPoints* item = nullptr;
  const Point* point = nullptr;
  double error = 0;        // prediction error of the point: predicted / measured − 1
  double spread = 0;       // relative spread of the times of the point's runs
  std::string buckets_in;  // cache level that holds the buckets, as holder_of_buckets() names it
  // The largest term of the predicted time and the term's share: where to look for the wrong
  // mechanism.
  std::string term;
  double term_share = 0;
};

// The `count` points with the largest absolute errors, largest first. The points must outlive the
// result.
std::vector<WorstPoint> worst_points(const std::vector<ProblemPoints>& all, const Machine& machine,
                                     size_t count);

}  // namespace presort::app
