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
#include "presort/tuner/errors/error_model.h"
#include "presort/tuner/measured_search.h"
#include "presort/tuner/plan_space.h"

namespace presort::inline v0::tuner {

// The median error of predictions against real runs, as a fraction of the time: 7 to 9 % by
// simulation, 9 to 11 % in closed form (docs/results/validation.md, closed-form.md). A pre-sort
// that wins or loses by less does not matter.
inline constexpr double kModelError = 0.10;

// Precision with which compared plans are simulated: a fifth of the model's own error.
inline constexpr predict::SimulationOptions kTuningOptions{.ci95_relative = 0.02};

// Precision with which near ties are simulated: each phase to 5 %, which is also the closed form's
// error. The interval of a whole plan is narrower, because the errors of its phases are
// independent. With 3 % the simulations took twice as long and moved times by less than 1 %.
inline constexpr predict::SimulationOptions kConfirmingOptions{
    .ci95_relative = 0.05, .replayed_inputs = uint64_t{1} << 18};

// The choice among predictions of one problem, as indices into the list of predictions.
struct Chosen {
  size_t plan = 0;    // plan with the least expected time of all
  size_t direct = 0;  // plan with the least expected time without a pre-sort
  // Plan with the least expected time of those with another strategy, sortBits, passes or
  // rangePasses.
  size_t runner_up = 0;
  bool matters = true;  // false: the best pre-sort wins or loses by less than the model's own error
};

// Chooses among predictions. A plan whose `may_be_chosen` is false is only compared with the
// others; an empty list: all plans may be chosen.
// Requires: a prediction without a pre-sort; one that may be chosen
Chosen choose_among(std::span<const Prediction> predictions,
                    const std::vector<bool>& may_be_chosen = {}, const ErrorSpread& spread = {});

// Which candidate plans are simulated: none, or those near ties whose simulation is expected to
// change the choice.
enum class Confirm { never, contenders };

// The predictors of one machine, which keep estimates that plans and problems share. Thread-safe.
// Functions that use them throw Stopped once `stop` asks for it.
struct Predictors {
  // `cold`: as in SimulationOptions
  explicit Predictors(const Machine& machine, StopToken stop = {}, bool cold = false);
  predict::Predictor model;
  predict::Predictor simulator;
};

struct Choice {
  TunedEntry entry;
  // Predictions of the candidates that may be the best, in the candidates' order
  std::vector<Prediction> predictions;
  std::vector<Origin> origins;      // how each prediction was made: in closed form or by simulation
  std::vector<bool> may_be_chosen;  // false: the candidate is only there for comparison
  std::vector<double> expected_ns;  // ns per input of each plan after measure(); empty before
  std::vector<MeasuredRun> runs;    // timed runs made by measure(), in their order
};

// Chooses as choose_among does, after simulating the two plans in closed form whose simulation is
// most likely to change the choice, and then the plan with the least expected time; the predictions
// and origins of these plans are replaced.
// Errors:   as Predictor::predict
// Requires: as choose_among; an origin (model or simulation) for each prediction; labels of the
//           problem
Chosen choose_confirmed(const Predictors& predictors,
                        const std::shared_ptr<const LabelSource>& labels,
                        std::vector<Prediction>& predictions, std::vector<Origin>& origins,
                        const std::vector<bool>& may_be_chosen = {});

// Chooses a plan. Plans that cannot be the best, by lower bounds of their phases' times, are not
// predicted (pruned_search.h). Plans without a closed form (several threads, a block device, a file
// of too few labels) are simulated, whatever `confirm` is.
// Errors: InputError, PlanError (plan_space.h)
Choice choose_plan(const Predictors& predictors, const PlanSpace& space, const Problem& problem,
                   const std::shared_ptr<const LabelSource>& labels,
                   Confirm confirm = Confirm::contenders);

// Spends `runs` timed runs on the predicted plans where they tell most (measured_search.h), and
// chooses anew: the entry's times are those expected after the runs.
// Errors: as measured_search
void measure(Choice& choice, int runs, const TimedRun& time);

// Times plans whose predictions are too close to tell apart, for up to `seconds` (halving_search),
// and chooses anew as measure() does. The choice stays as it is if nothing was timed: the choice is
// clear, runs are too long, or all runs were disturbed.
// Errors: as halving_search
void measure_close(Choice& choice, double seconds,
                   const std::function<double(size_t plan)>& seconds_of_run, const QuietRun& time);

}  // namespace presort::tuner
