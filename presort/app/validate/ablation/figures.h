// The figures that an ablation computes from a predicted recording: errors, decisions, regret. They
// are those of a validation's summary (report/summary.h), without their intervals, which take
// longer than predictions in closed form. One difference: a decision counts even where the chosen
// plan's own runs were dropped, so that the number of decisions does not depend on what is chosen.
// Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/app/loops/loop_points.h"
#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

struct Figures {
  size_t points = 0;        // number of points (a problem with a plan, or a loop) measured and kept
  double median_error = 0;  // median of the absolute relative errors of the predictions
  double p90_error = 0;
  size_t problems = 0;  // problems for which the right choice is known; 0 for memory loops
  size_t right = 0;     // problems where the tuner's choice to pre-sort or not was right
  // Mean regret over problems whose chosen plan was kept, by split halves (score/regret.h)
  double mean_regret = 0;
  // Number of points whose prediction differs from the one with all mechanisms on
  size_t moved = 0;
  bool operator==(const Figures&) const = default;
};

// Predicted times of the measured and kept points, in their order, and the figures that follow from
// these times, except `moved`.
struct Outcome {
  Figures figures;
  std::vector<double> times;
};

// Scores the predictions of a recording of kernels.
// Requires: all points are predicted, plans are chosen
Outcome judge_kernels(const std::vector<ProblemPoints>& all);

// Scores the predictions of a recording of memory loops.
// Requires: all loops are predicted and measured
Outcome judge_loops(const std::vector<LoopPoint>& loops);

// Largest relative change of a predicted time that does not count as moved.
inline constexpr double kMoved = 0.01;

// Number of predicted times that differ between two lists by more than kMoved.
// Requires: both lists have the same length
size_t count_moved(const std::vector<double>& times, const std::vector<double>& before);

}  // namespace presort::app
