// A few timed runs, spent where they tell most about which plan is the fastest.
//
// Predictions say what to expect and how plans err together (error_model.h). Each run is the one
// after which the best expected time is the least on average (plan_posterior.h: knowledge
// gradient); then the plan of the least expected time is chosen. A run of a plan tells of those
// that share its phases, so five runs can choose among fifty plans.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"
#include "presort/tuner/error_model.h"

namespace presort::inline v0::tuner {

// One timed run of a plan, real or drawn from recorded ones: ns per input, > 0.
using TimedRun = std::function<double(const CpuPlan& plan)>;

struct MeasuredRun {
  size_t plan = 0;  // index of the timed plan
  double ns_per_input = 0;
};

struct MeasuredSearch {
  size_t plan = 0;                  // index of the chosen plan
  std::vector<double> expected_ns;  // expected time of each plan after all runs, ns per input
  std::vector<MeasuredRun> runs;    // timed runs in their order
};

// Chooses among the plans of `predictions` with exactly `runs` calls of `time`; with none, by the
// predictions and their spread alone. Deterministic but for `time`; what that throws passes
// through.
// Requires: predictions of one problem on one machine, at least one, all > 0 ns; runs >= 0
// Errors:   InputError when a run took no time
MeasuredSearch measured_search(std::span<const Prediction> predictions, int runs,
                               const TimedRun& time, const ErrorSpread& spread = {});

}  // namespace presort::tuner
