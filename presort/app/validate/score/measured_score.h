// Regret of the tuner when it may time a few runs of each problem, judged on recorded runs.
#pragma once

#include <vector>

#include "presort/app/validate/drawn_runs.h"
#include "presort/app/validate/points.h"
#include "presort/core/base/stop.h"

namespace presort::inline v0::app {

struct MeasuredScore {
  int runs = 0;  // number of timed runs for each problem
  DrawnScore score;
};

// Scores tuner::measured_search with `runs` timed runs for each problem, which are drawn from the
// recorded runs, 200 times over. The search chooses among the problem's kept points, whose
// predictions it knows. Problems whose grid has no kept point are left out. Deterministic.
// Errors: Stopped once `stop` asks for it; InputError when a point was recorded in no more than
//         `runs` runs: the tuner may spend all its runs on one point, and one run must be left to
//         judge by
// Requires: points predicted and measured; runs >= 1
MeasuredScore measured_score(const std::vector<ProblemPoints>& all, int runs, StopToken stop = {});

}  // namespace presort::app
