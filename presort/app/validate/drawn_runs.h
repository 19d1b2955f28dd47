// Judges a tuner that may time a few runs, on recorded runs and without running anything: a timed
// run draws one recorded time, and the choice is judged by runs that were not drawn. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "presort/app/validate/points.h"
#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

// The recorded runs of one problem. Each run of a plan can be drawn once, in random order.
class DrawnRuns {
 public:
  // Requires: item outlives this object
  DrawnRuns(const ProblemPoints& item, uint64_t seed);

  // Draws a recorded run of a plan: its time, ns per input, as timed, without correction for the
  // machine's drift.
  // Errors: InputError when the plan was not recorded, or when only one of its runs is left, which
  //         is kept for the truth
  double draw(const CpuPlan& plan);

  // Time of a point, ns per input without drift (Point::ns), to judge by: the median of half of the
  // runs that were not drawn, rounded up.
  double judging_ns(size_t point) const;
  // The median of all other runs, by which the best plan is found. Times of one half would flatter the
  // plan that was picked by them: the least of five times that scatter by 6 % is 7 % below their mean.
  double finding_ns(size_t point) const;

 private:
  double median_of_turns(size_t point, size_t first, size_t last) const;
  size_t first_judging_turn(size_t point) const;

  const ProblemPoints* item_;
  // order_[i]: the order in which the runs of point i are drawn
  std::vector<std::vector<size_t>> order_;
  // drawn_[i]: the number of runs of point i that were drawn
  std::vector<size_t> drawn_;
};

// A tuner: a function that returns the index of the point that it chooses, having called `time` for
// plans of the problem. Points that were dropped may be neither timed nor chosen.
using TimeRun = std::function<double(const CpuPlan& plan)>;
using MeasuringTuner = std::function<size_t(const ProblemPoints& item, const TimeRun& time)>;

// The regret of a tuner: time of the chosen point / time of the best one of the grid − 1, by split
// halves as for a tuner that times nothing (score/regret.h), so it may be negative. A problem's regret is
// the mean over `draws` random draws.
struct DrawnScore {
  size_t problems = 0;
  int draws = 0;
  double mean_regret = 0;
  Interval mean_interval;  // middle 95 % of the mean regrets of single draws
  double p95_regret = 0;
  double max_regret = 0;
};

// Scores a tuner. All problems count: as the tuner chooses among the kept points, its choice is
// never a dropped one.
// Errors:   what the tuner and DrawnRuns throw.
// Requires: draws >= 1; a kept point of each problem
DrawnScore score_with_drawn_runs(const std::vector<const ProblemPoints*>& problems,
                                 const MeasuringTuner& tuner, int draws, uint64_t seed);

}  // namespace presort::app
