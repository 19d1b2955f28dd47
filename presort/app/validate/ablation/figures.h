// What an ablation looks at in a recording that was predicted: errors, decisions, regret. The same
// numbers as in a validation's summary (report/summary.h), without the intervals around them, which
// take longer than predictions in closed form; but a decision also counts where the chosen plan's
// own runs were dropped, so that there are equally many whatever is chosen. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/app/loops/loop_points.h"
#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

struct Figures {
  size_t points = 0;        // measured and kept
  double median_error = 0;  // median of the absolute relative errors
  double p90_error = 0;
  size_t problems = 0;     // where it is known what is right; memory loops have none
  size_t right = 0;        // problems where the choice to pre-sort or not was right
  double mean_regret = 0;  // mean by split halves (score/regret.h), where the chosen plan was kept
  size_t moved = 0;        // points that are predicted otherwise than with everything on
  bool operator==(const Figures&) const = default;
};

// Predicted times of the points that are measured and kept, in their order, and what follows from
// them, without `moved`.
struct Outcome {
  Figures figures;
  std::vector<double> times;
};

// Requires: all points are predicted, plans are chosen
Outcome judge_kernels(const std::vector<ProblemPoints>& all);

// Requires: all loops are predicted and measured
Outcome judge_loops(const std::vector<LoopPoint>& loops);

// A prediction that changes by no more than so much, relative to what it was, has not moved.
inline constexpr double kMoved = 0.01;

// Requires: equally many
size_t count_moved(const std::vector<double>& times, const std::vector<double>& before);

}  // namespace presort::app
