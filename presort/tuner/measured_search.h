// A few timed runs, spent on the plans where they tell most about which plan is the fastest.
//
// Predictions and the correlations of their errors (error_model.h) come first. Each run is the one
// after which the best expected time is the least on average (plan_posterior.h: knowledge
// gradient); then the plan with the least expected time is chosen. A run of one plan also tells of
// plans that share its phases, so five runs can choose among fifty plans.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"
#include "presort/tuner/errors/error_model.h"

namespace presort::inline v0::tuner {

// One timed run of a plan, real or drawn from recorded runs: returns ns per input, > 0.
using TimedRun = std::function<double(const CpuPlan& plan)>;

struct MeasuredRun {
  size_t plan = 0;  // index of the timed plan
  double ns_per_input = 0;
};

struct MeasuredSearch {
  size_t plan = 0;                  // index of the chosen plan
  std::vector<double> expected_ns;  // expected time of each plan after all runs, ns per input
  std::vector<MeasuredRun> runs;    // the timed runs, in the order in which they were made
};

// Chooses among the plans of `predictions` with exactly `runs` calls of `time`; with no runs, by
// the predictions and their spread alone. Deterministic but for `time`; exceptions of `time` pass
// through.
// Requires: predictions of one problem on one machine, at least one, all > 0 ns; runs >= 0
// Errors:   InputError when a run took no time
MeasuredSearch measured_search(std::span<const Prediction> predictions, int runs,
                               const TimedRun& time, const ErrorSpread& spread = {});

// One timed run of a plan: ns per input; no value if the machine was disturbed meanwhile.
using QuietRun = std::function<std::optional<double>(const CpuPlan& plan)>;

// Plans that may be the best. By the predictions and the correlations of their errors, the time of
// each is below the best plan's in more than one case in ten. The plan with the least expected time
// comes first; it is alone if the choice is clear. At most `most` plans, the likeliest.
std::vector<size_t> close_plans(std::span<const Prediction> predictions, size_t most,
                                const ErrorSpread& spread = {});

// Times the close plans by turns, one run of each, and then goes on with the better half of them,
// until one is left or the next run would take longer than what is left of `seconds`.
// `seconds_of_run` returns the predicted seconds of a run of a plan. Nothing is timed where the
// choice is clear, or where two plans do not fit the time. The choice is then made by expected
// times, as in measured_search.
// Requires: as measured_search
// Errors:   InputError when a run took no time
MeasuredSearch halving_search(std::span<const Prediction> predictions, double seconds,
                              const std::function<double(size_t plan)>& seconds_of_run,
                              const QuietRun& time, const ErrorSpread& spread = {});

}  // namespace presort::tuner
