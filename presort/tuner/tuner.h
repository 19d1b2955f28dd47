// Chooses plans: predicts every legal one in closed form, has near ties simulated, and takes the
// plan of the least expected time.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/plan/tuned.h"
#include "presort/predict/predictor.h"
#include "presort/tuner/error_model.h"
#include "presort/tuner/measured_search.h"
#include "presort/tuner/plan_space.h"

namespace presort::inline v0::tuner {

// The median error of predictions against real runs, as a fraction: 7 to 9 % by simulation, 9 to
// 11 % in closed form (docs/results/validation.md, closed-form.md). A pre-sort that wins or loses
// by less does not matter.
inline constexpr double kModelError = 0.10;

// How exactly compared plans are simulated: to a fifth of the model's own error.
inline constexpr predict::SimulationOptions kTuningOptions{.ci95_relative = 0.02};

// How exactly near ties are simulated: each phase to 5 %, which is also the closed form's error.
// The interval of a whole plan is narrower, because its phases err independently. With 3 % the
// simulations took twice as long and moved times by less than 1 %.
inline constexpr predict::SimulationOptions kConfirmingOptions{
    .ci95_relative = 0.05, .replayed_inputs = uint64_t{1} << 18};

// The choice among predictions of one problem; indices into them.
struct Chosen {
  size_t plan = 0;    // plan with the least expected time
  size_t direct = 0;  // plan with the least expected time without a pre-sort
  // Plan with the least expected time of those with another strategy, sortBits, passes or
  // rangePasses.
  size_t runner_up = 0;
  bool matters = true;  // false: the margin of the best pre-sort is inside the model's own error
};

// Chooses among predictions. A plan whose `may_be_chosen` is false is only compared with; an empty
// list: all may be chosen.
// Requires: a prediction without a pre-sort; one that may be chosen
Chosen choose_among(std::span<const Prediction> predictions,
                    const std::vector<bool>& may_be_chosen = {}, const ErrorSpread& spread = {});

// Which candidates are simulated: none, or those near ties whose simulation is expected to change
// the choice.
enum class Confirm { never, contenders };

// The predictors of one machine, which keep what plans and problems share. Thread-safe. Functions
// that use them throw Stopped once `stop` asks for it.
struct Predictors {
  explicit Predictors(const Machine& machine, StopToken stop = {});
  predict::Predictor model;
  predict::Predictor simulator;
};

struct Choice {
  TunedEntry entry;
  std::vector<Prediction> predictions;  // candidates that may be the best, in their order
  std::vector<Origin> origins;          // how each prediction was made: model or simulation
  std::vector<bool> may_be_chosen;      // false: the candidate is only there for comparison
  std::vector<double> expected_ns;      // ns per input of each plan after measure(); empty before
  std::vector<MeasuredRun> runs;        // timed runs of measure(), in their order
};

// Chooses as choose_among does, after simulating the two plans in closed form whose simulation is
// expected to change the choice; their predictions and origins are replaced.
// Errors:   as Predictor::predict
// Requires: as choose_among; origins of the predictions, model or simulation; labels of the problem
Chosen choose_confirmed(const Predictors& predictors,
                        const std::shared_ptr<const LabelSource>& labels,
                        std::vector<Prediction>& predictions, std::vector<Origin>& origins,
                        const std::vector<bool>& may_be_chosen = {});

// Chooses a plan. Plans that cannot be the best, by bounds on what their phases take, are not
// predicted (pruned_search.h). Those that the closed form does not have (several threads, a block device, a
// file of too few labels) are simulated, whatever `confirm` is.
// Errors: InputError, PlanError (plan_space.h)
Choice choose_plan(const Predictors& predictors, const PlanSpace& space, const Problem& problem,
                   const std::shared_ptr<const LabelSource>& labels,
                   Confirm confirm = Confirm::contenders);

// Times `runs` runs of the plans that were predicted, where they tell most (measured_search.h), and
// chooses anew: the times of the entry are those expected after them.
// Errors: as measured_search
void measure(Choice& choice, int runs, const TimedRun& time);

// Times plans that are too close to tell apart by prediction, for up to `seconds` (halving_search), and
// chooses anew as measure() does. Nothing changes where nothing was timed: the choice is clear, or runs
// are too long, or all were disturbed.
// Errors: as halving_search
void measure_close(Choice& choice, double seconds,
                   const std::function<double(size_t plan)>& seconds_of_run, const QuietRun& time);

}  // namespace presort::tuner
