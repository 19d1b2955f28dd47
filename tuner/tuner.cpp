#include "tuner/tuner.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <optional>

#include "core/error.h"
#include "predict/closed_form/closed_form.h"
#include "tuner/belief.h"
#include "tuner/worthwhile.h"

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

// Simulations that follow the first two, of the best with and without a pre-sort, are worth it when
// they are expected to save so much of the time.
constexpr double kWorthConfirming = 0.02;
constexpr size_t kMoreConfirmed = 2;

class Confirmation {
 public:
  Confirmation(const Predictors& predictors, const std::shared_ptr<const LabelSource>& labels,
               Choice& choice)
      : predictors_(predictors),
        labels_(labels),
        choice_(choice),
        belief_(belief_of(choice.predictions, kClosedFormSpread)) {
    for (size_t i = 0; i < belief_.size(); ++i) {
      if (confirmed(i)) {
        belief_.observe(i, choice_.predictions[i].ns_per_input);
      }
    }
  }

  void run() {
    const std::vector<Prediction>& all = choice_.predictions;
    confirm({least_expected(belief_, [&](size_t i) { return !all[i].plan.presort; }),
             least_expected(belief_, [&](size_t i) { return all[i].plan.presort.has_value(); })});
    confirm(most_telling());
    confirm({least_expected(belief_, [&](size_t i) { return bool{choice_.may_be_chosen[i]}; })});
  }

 private:
  bool confirmed(size_t i) const { return choice_.origins[i] == Origin::simulation; }

  // Simulates these plans (-1: none) at the same time.
  void confirm(std::vector<ptrdiff_t> plans) {
    std::erase_if(plans, [&](ptrdiff_t i) { return i < 0 || confirmed(static_cast<size_t>(i)); });
    std::vector<std::future<Prediction>> simulations;
    for (const ptrdiff_t i : plans) {
      const Prediction& modelled = choice_.predictions[static_cast<size_t>(i)];
      simulations.push_back(std::async(std::launch::async, [this, &modelled] {
        return predictors_.simulator.predict(modelled.problem, modelled.plan, labels_);
      }));
    }
    std::vector<Prediction> simulated;
    for (std::future<Prediction>& simulation : simulations) {
      simulated.push_back(simulation.get());
    }
    for (size_t k = 0; k < plans.size(); ++k) {
      const auto i = static_cast<size_t>(plans[k]);
      belief_.observe(i, simulated[k].ns_per_input);
      choice_.predictions[i] = std::move(simulated[k]);
      choice_.origins[i] = Origin::simulation;
    }
  }

  std::vector<ptrdiff_t> most_telling() const {
    std::vector<std::pair<double, ptrdiff_t>> gains;
    for (size_t i = 0; i < belief_.size(); ++i) {
      const double gain = confirmed(i) ? 0 : belief_.gain_by_run(i);
      if (gain > kWorthConfirming * belief_.expected_ns(belief_.best())) {
        gains.emplace_back(-gain, static_cast<ptrdiff_t>(i));
      }
    }
    std::sort(gains.begin(), gains.end());
    std::vector<ptrdiff_t> plans;
    for (size_t k = 0; k < std::min(kMoreConfirmed, gains.size()); ++k) {
      plans.push_back(gains[k].second);
    }
    return plans;
  }

  const Predictors& predictors_;
  const std::shared_ptr<const LabelSource>& labels_;
  Choice& choice_;
  Belief belief_;
};

void predict_worthwhile(const Predictors& predictors, const Candidates& candidates,
                        const Problem& problem, const std::shared_ptr<const LabelSource>& labels,
                        Choice& choice) {
  const auto modelled = [&](const Plan& plan) {
    return predict::in_closed_form(predictors.model.machine(), plan);
  };
  std::vector<std::optional<Prediction>> predictions =
      predict_where_worthwhile(candidates.plans, candidates.eligible, [&](const Plan& plan) {
        return (modelled(plan) ? predictors.model : predictors.simulator)
            .predict(problem, plan, labels);
      });
  for (size_t i = 0; i < predictions.size(); ++i) {
    if (predictions[i]) {
      choice.origins.push_back(modelled(candidates.plans[i]) ? Origin::model : Origin::simulation);
      choice.predictions.push_back(std::move(*predictions[i]));
      choice.may_be_chosen.push_back(i < candidates.eligible);
    }
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
    : model(machine, {.method = predict::Method::closedForm}),
      simulator(machine, kConfirmingOptions) {}

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
  predict_worthwhile(predictors, candidates, problem, labels, choice);
  std::vector<bool> decide = choice.may_be_chosen;
  if (confirm == Confirm::contenders) {
    Confirmation(predictors, labels, choice).run();
    for (size_t i = 0; i < decide.size(); ++i) {
      decide[i] = decide[i] && choice.origins[i] == Origin::simulation;
    }
  }
  fill_entry(choice, problem, choose_among(choice.predictions, decide));
  return choice;
}

void measure(Choice& choice, int runs, const TimedRun& time) {
  const MeasuredSearch search = measured_search(choice.predictions, runs, time);
  std::vector<Prediction> expected = choice.predictions;
  for (size_t i = 0; i < expected.size(); ++i) {
    expected[i].ns_per_input = search.expected_ns[i];
  }
  // What is expected after the runs has no spread that would make one plan the better one.
  constexpr ErrorSpread kNone{.mechanism = 0, .phase = 0, .own = 0, .run = 0};
  const Chosen chosen = choose_among(expected, choice.may_be_chosen, kNone);
  fill_entry(choice, choice.entry.problem, chosen);
  choice.entry.predicted_ns_per_input = search.expected_ns[chosen.plan];
  choice.entry.direct_ns_per_input = search.expected_ns[chosen.direct];
  choice.entry.runner_up_ns_per_input = search.expected_ns[chosen.runner_up];
  choice.entry.origin = Origin::measurement;
  choice.expected_ns = search.expected_ns;
}

}  // namespace presort::tuner
