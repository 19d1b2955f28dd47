// A tuner that may time a few runs, judged on recorded ones without running anything: a timed run
// draws one raw sample, and the truth is the median of the others. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "presort/app/validate/points.h"
#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

// The recorded runs of one problem; of each plan every run can be drawn once, in random order.
class DrawnRuns {
 public:
  // Requires: item outlives this
  DrawnRuns(const ProblemPoints& item, uint64_t seed);

  // ns per input of one more run, as timed, without what was known of the machine's drift.
  // Errors: InputError when the plan was not recorded, or none of its runs is left beside one for
  //         the truth
  double draw(const CpuPlan& plan);

  // Median of the runs of a point that were not drawn, without drift (Point::ns).
  double truth(size_t point) const;

 private:
  const ProblemPoints* item_;
  std::vector<std::vector<size_t>> order_;  // for each point: in which order its runs are drawn
  std::vector<size_t> drawn_;               // for each point: how many runs were drawn
};

// A tuner: the index of the point that it takes, having called `time` for plans of the problem.
// Points that were dropped are none that it may time or take.
using TimeRun = std::function<double(const CpuPlan& plan)>;
using MeasuringTuner = std::function<size_t(const ProblemPoints& item, const TimeRun& time)>;

// Regret: truth of what it took / least truth of the kept points of the grid − 1, so at least 0;
// over all problems and `draws` draws of each.
struct DrawnScore {
  size_t problems = 0;
  int draws = 0;
  double mean_regret = 0;
  Interval mean_interval;  // the middle 95 % of the draws' means over the problems
  double p95_regret = 0;
  double max_regret = 0;
};

// Problems that the tuner's plan was dropped of do not occur: a tuner takes among those kept.
// Errors:   what the tuner and DrawnRuns throw.
// Requires: draws >= 1; a kept point of each problem
DrawnScore score_with_drawn_runs(const std::vector<const ProblemPoints*>& problems,
                                 const MeasuringTuner& tuner, int draws, uint64_t seed);

}  // namespace presort::app
