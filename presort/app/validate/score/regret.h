// Regret by split halves: what the tuner's plan costs over the best plan of a fixed grid, where the
// best is chosen on one half of interleaved repeats and all times come from the other half. So the
// best is not flattered by having been picked for its luck. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

// Repeats of one plan in the order they were taken: even ones choose, odd ones time.
using Repeats = std::vector<double>;

// The plan with the least median in the choosing half. Requires: not empty, >= 2 repeats each
size_t choose_best(const std::vector<Repeats>& grid);

// Median of the timing half. Requires: >= 2 repeats
double timed(const Repeats& repeats);

// timed(tuned) / timed(best of grid) − 1; may be negative.
double split_half_regret(const Repeats& tuned, const std::vector<Repeats>& grid);

// The regret computed from the choosing half alone, by which plans are chosen. Never negative for a
// plan of the grid.
double choosing_half_regret(const Repeats& plan, const std::vector<Repeats>& grid);

// One problem: its tuned plan and its grid, with equally many repeats.
struct RegretCase {
  Repeats tuned;
  std::vector<Repeats> grid;
};

// Regret of each case and the mean, with 95 % intervals from a bootstrap that draws rounds (the
// r-th repeat of all plans together, within each half) with replacement. Deterministic for a seed.
struct RegretResult {
  std::vector<double> regrets;
  std::vector<Interval> intervals;
  double mean_regret = 0;
  Interval mean_interval;
};
RegretResult evaluate_regret(const std::vector<RegretCase>& cases, int replicates, uint64_t seed);

}  // namespace presort::app
