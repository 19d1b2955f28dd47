#include "tuner/tuner.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "predict/closed_form/closed_form.h"
#include "tuner/belief.h"

namespace presort::tuner {

namespace {

bool same_decision(const Plan& a, const Plan& b) {
  const bool same_presort = a.presort.has_value() == b.presort.has_value() &&
                            (!a.presort || (a.presort->sort_bits == b.presort->sort_bits &&
                                            a.presort->passes == b.presort->passes));
  return same_presort && a.base.strategy == b.base.strategy;
}

Belief belief_of(std::span<const Prediction> predictions, const ErrorSpread& spread) {
  std::vector<double> predicted_ns;
  for (const Prediction& prediction : predictions) {
    predicted_ns.push_back(prediction.ns_per_input);
  }
  return {predicted_ns, error_covariance(predictions, spread), spread.run};
}

// Index of the least expected time among those that `accept`; -1 if there is none.
template <class Accept>
ptrdiff_t least_expected(const Belief& belief, Accept accept) {
  ptrdiff_t best = -1;
  for (size_t i = 0; i < belief.size(); ++i) {
    if (accept(i) &&
        (best < 0 || belief.expected_ns(i) < belief.expected_ns(static_cast<size_t>(best)))) {
      best = static_cast<ptrdiff_t>(i);
    }
  }
  return best;
}

// How far the closed form is from the simulator (docs/model.md), as the standard deviations that
// give its median errors.
constexpr ErrorSpread kClosedFormSpread{.mechanism = 0.10, .phase = 0.08, .own = 0.03, .run = 0.01};

constexpr int kMostConfirmed = 5;
constexpr double kWorthConfirming =
    0.002;  // of the time: what a simulation must be expected to save

// Simulates, of the candidates that may be chosen, the best with and without a pre-sort, and then
// those whose simulation is expected to make the choice better.
class Confirmation {
 public:
  Confirmation(const Predictors& predictors, const std::shared_ptr<const LabelSource>& labels,
               size_t eligible, Choice& choice)
      : predictors_(predictors),
        labels_(labels),
        eligible_(eligible),
        choice_(choice),
        belief_(belief_of(choice.predictions, kClosedFormSpread)) {}

  void run() {
    for (size_t i = 0; i < belief_.size(); ++i) {
      if (confirmed(i)) {
        belief_.observe(i, choice_.predictions[i].ns_per_input);
      }
    }
    const std::vector<Prediction>& all = choice_.predictions;
    confirm(least_expected(belief_, [&](size_t i) { return !all[i].plan.presort; }));
    confirm(least_expected(belief_, [&](size_t i) { return all[i].plan.presort.has_value(); }));
    for (int more = 2; more < kMostConfirmed; ++more) {
      const ptrdiff_t next = most_telling();
      if (next < 0) {
        break;
      }
      confirm(next);
    }
    confirm(least_expected(belief_, [&](size_t i) { return i < eligible_; }));
  }

 private:
  bool confirmed(size_t i) const { return choice_.origins[i] == Origin::simulation; }

  void confirm(ptrdiff_t place) {
    if (place < 0 || confirmed(static_cast<size_t>(place))) {
      return;
    }
    const auto i = static_cast<size_t>(place);
    Prediction& prediction = choice_.predictions[i];
    prediction = predictors_.simulator.predict(prediction.problem, prediction.plan, labels_);
    choice_.origins[i] = Origin::simulation;
    belief_.observe(i, prediction.ns_per_input);
  }

  ptrdiff_t most_telling() const {
    ptrdiff_t best = -1;
    double gain = kWorthConfirming * belief_.expected_ns(belief_.best());
    for (size_t i = 0; i < belief_.size(); ++i) {
      const double by_this = confirmed(i) ? 0 : belief_.gain_by_run(i);
      if (by_this > gain) {
        best = static_cast<ptrdiff_t>(i);
        gain = by_this;
      }
    }
    return best;
  }

  const Predictors& predictors_;
  const std::shared_ptr<const LabelSource>& labels_;
  size_t eligible_;
  Choice& choice_;
  Belief belief_;
};

void predict_all(const Predictors& predictors, const std::vector<Plan>& plans,
                 const Problem& problem, const std::shared_ptr<const LabelSource>& labels,
                 Choice& choice) {
  for (const Plan& plan : plans) {
    const bool modelled = predict::in_closed_form(predictors.model.machine(), problem, plan);
    const predict::Predictor& predictor = modelled ? predictors.model : predictors.simulator;
    choice.predictions.push_back(predictor.predict(problem, plan, labels));
    choice.origins.push_back(modelled ? Origin::model : Origin::simulation);
  }
}

void fill_entry(Choice& choice, const Problem& problem, const Chosen& chosen) {
  const Prediction& best = choice.predictions[chosen.plan];
  const Prediction& direct = choice.predictions[chosen.direct];
  const Prediction& second = choice.predictions[chosen.runner_up];
  TunedEntry& entry = choice.entry;
  entry.problem = problem;
  entry.plan = best.plan;
  entry.predicted_ns_per_input = best.ns_per_input;
  entry.direct_plan = direct.plan;
  entry.direct_ns_per_input = direct.ns_per_input;
  entry.runner_up = second.plan;
  entry.runner_up_ns_per_input = second.ns_per_input;
  entry.matters = chosen.matters;
  entry.origin = choice.origins[chosen.plan];
}

}  // namespace

Predictors::Predictors(const Machine& machine)
    : model(machine, {.method = predict::Method::closedForm}), simulator(machine, kTuningOptions) {}

Chosen choose_among(std::span<const Prediction> predictions, const std::vector<bool>& may_be_chosen,
                    const ErrorSpread& spread) {
  const Belief belief = belief_of(predictions, spread);
  const auto may = [&](size_t i) { return may_be_chosen.empty() || may_be_chosen[i]; };
  const auto presorts = [&](size_t i) { return predictions[i].plan.presort.has_value(); };
  const auto ns = [&](ptrdiff_t i) { return predictions[static_cast<size_t>(i)].ns_per_input; };
  const ptrdiff_t best = least_expected(belief, may);
  const Plan& best_plan = predictions[static_cast<size_t>(best)].plan;
  ptrdiff_t direct = least_expected(belief, [&](size_t i) { return may(i) && !presorts(i); });
  if (direct < 0) {
    direct = least_expected(belief, [&](size_t i) { return !presorts(i); });
  }
  const ptrdiff_t sorted = least_expected(belief, [&](size_t i) { return may(i) && presorts(i); });
  const ptrdiff_t second = least_expected(
      belief, [&](size_t i) { return may(i) && !same_decision(predictions[i].plan, best_plan); });
  return {.plan = static_cast<size_t>(best),
          .direct = static_cast<size_t>(direct),
          .runner_up = static_cast<size_t>(second >= 0 ? second : best),
          .matters = sorted >= 0 && std::abs(ns(sorted) / ns(direct) - 1) > kModelError};
}

Choice choose_plan(const Predictors& predictors, const PlanSpace& space, const Problem& problem,
                   const std::shared_ptr<const LabelSource>& labels, Confirm confirm) {
  const Candidates candidates = candidate_plans(space, problem);
  Choice choice;
  predict_all(predictors, candidates.plans, problem, labels, choice);
  std::vector<bool> may_be_chosen(candidates.plans.size(), true);
  if (confirm == Confirm::contenders) {
    Confirmation(predictors, labels, candidates.eligible, choice).run();
    for (size_t i = 0; i < may_be_chosen.size(); ++i) {
      may_be_chosen[i] = choice.origins[i] == Origin::simulation;
    }
  }
  for (size_t i = candidates.eligible; i < may_be_chosen.size(); ++i) {
    may_be_chosen[i] = false;
  }
  fill_entry(choice, problem, choose_among(choice.predictions, may_be_chosen));
  return choice;
}

}  // namespace presort::tuner
