// A few timed runs, spent where they tell most about which plan is the fastest.
//
// Predictions say what to expect and how plans err together (error_model.h). Each run is the one
// after which the best expected time is the least on average (plan_posterior.h: knowledge
// gradient); then the plan of the least expected time is chosen. A run of a plan tells of those
// that share its phases, so five runs can choose among fifty plans.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
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

// One timed run of a plan, ns per input; nothing if the machine was disturbed meanwhile.
using QuietRun = std::function<std::optional<double>(const CpuPlan& plan)>;

// Plans that may be the best: of which the time, by the predictions and how they err together, is below
// the best's in more than one case in ten. The one of the least expected time comes first; one alone if
// the choice is clear. At most `most`, the likeliest.
std::vector<size_t> close_plans(std::span<const Prediction> predictions, size_t most,
                                const ErrorSpread& spread = {});

// Times the close plans by turns, one run of each, and then goes on with the better half, until one is
// left or the next run would take longer than what is left of `seconds`. `seconds_of_run` tells how
// long a run of a plan takes, as predicted. Nothing is timed where the choice is clear, or where two
// plans do not fit the time. The choice then is by the posterior, as that of measured_search.
// Requires: as measured_search
// Errors:   InputError when a run took no time
MeasuredSearch halving_search(std::span<const Prediction> predictions, double seconds,
                              const std::function<double(size_t plan)>& seconds_of_run,
                              const QuietRun& time, const ErrorSpread& spread = {});

}  // namespace presort::tuner
