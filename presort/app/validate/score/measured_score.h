// Regret of the tuner when it may time a few runs of each problem, judged on recorded runs.
#pragma once

#include <vector>

#include "presort/app/validate/drawn_runs.h"
#include "presort/app/validate/points.h"
#include "presort/core/base/stop.h"

namespace presort::inline v0::app {

// Stands for the timed runs that tune makes by default on the host that was probed
inline constexpr int kRunsOfTune = 0;

struct MeasuredScore {
  // Number of timed runs for each problem; kRunsOfTune: as many as tune makes by default
  int runs = 0;
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

// Regret of the plans that tune chooses by default: plans too close to tell apart are timed for up
// to kCloseSeconds a problem, untimed runs included (tuner::halving_search). Where nothing is
// timed, the tuner's choice by prediction stands. Of a plan's recorded runs only half may be drawn.
// When they are spent, another run of the plan counts as disturbed.
// Requires: as measured_score; `tuned` of each problem
MeasuredScore measured_score_of_tune(const std::vector<ProblemPoints>& all, StopToken stop = {});

}  // namespace presort::app
