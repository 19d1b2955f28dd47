// Regret by split halves: how much longer the tuner's plan takes than the best plan of a fixed
// grid. The best plan is chosen by one half of interleaved runs, and all times come from the other
// half, so that the best plan does not profit from having been picked for its luck. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

// Times of the runs of one plan in the order in which they were taken: even ones choose, odd ones
// time.
using Repeats = std::vector<double>;

// Index of the plan with the least median in the choosing half.
// Requires: not empty, >= 2 repeats each
size_t choose_best(const std::vector<Repeats>& grid);

// Median of the times in the timing half.
// Requires: >= 2 repeats
double timed(const Repeats& repeats);

// Regret of the tuned plan: timed(tuned) / timed(best of grid) − 1; may be negative.
double split_half_regret(const Repeats& tuned, const std::vector<Repeats>& grid);

// The regret of a plan computed from the choosing half alone, by which plans are chosen. Never
// negative for a plan of the grid.
double choosing_half_regret(const Repeats& plan, const std::vector<Repeats>& grid);

// The runs of one problem: those of its tuned plan and of the grid's plans, equally many for each.
struct RegretCase {
  Repeats tuned;
  std::vector<Repeats> grid;
};

// Regret of each problem and the mean regret, with 95 % intervals from a bootstrap that draws
// rounds (the r-th run of all plans together, within each half) with replacement. Deterministic for
// a seed.
struct RegretResult {
  std::vector<double> regrets;
  std::vector<Interval> intervals;
  double mean_regret = 0;
  Interval mean_interval;
};
RegretResult evaluate_regret(const std::vector<RegretCase>& cases, int replicates, uint64_t seed);

}  // namespace presort::app
