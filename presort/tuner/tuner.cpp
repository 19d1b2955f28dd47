#include "presort/tuner/tuner.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <optional>

#include "presort/core/error.h"
#include "presort/predict/closed_form/closed_form.h"
#include "presort/predict/size_limits.h"
#include "presort/tuner/plan_posterior.h"
#include "presort/tuner/pruned_search.h"

namespace presort::inline v0::tuner {

namespace {

bool same_decision(const CpuPlan& a, const CpuPlan& b) {
  const bool same_presort = a.presort.has_value() == b.presort.has_value() &&
                            (!a.presort || (a.presort->sort_bits == b.presort->sort_bits &&
                                            a.presort->passes == b.presort->passes));
  return same_presort && a.base.strategy == b.base.strategy &&
         a.base.range_passes == b.base.range_passes;
}

// The belief about the times of plans, whose medians are `ns` per input instead of the predicted
// times.
PlanPosterior posterior_of(std::span<const Prediction> predictions, const std::vector<double>& ns,
                           const ErrorSpread& spread) {
  return {ns, error_covariance(predictions, spread), spread.run};
}

std::vector<double> predicted_ns(std::span<const Prediction> predictions) {
  std::vector<double> ns;
  for (const Prediction& prediction : predictions) {
    ns.push_back(prediction.ns_per_input);
  }
  return ns;
}

// Index of the plan with the least expected time among those for which `accept` is true; -1 if
// there is none.
template <class Accept>
ptrdiff_t least_expected(const PlanPosterior& posterior, Accept accept) {
  ptrdiff_t best = -1;
  for (size_t i = 0; i < posterior.size(); ++i) {
    if (accept(i) &&
        (best < 0 || posterior.expected_ns(i) < posterior.expected_ns(static_cast<size_t>(best)))) {
      best = static_cast<ptrdiff_t>(i);
    }
  }
  return best;
}

// Least expected gain, as a share of the plan's time, for which a plan is simulated.
constexpr double kWorthConfirming = 0.01;
// Most plans of a near tie that are simulated, at the same time on two cores. Simulating two more
// where the first two left something to gain made choices no better on the designed grid of two
// machines (docs/results/tuner.md).
constexpr size_t kSimulated = 2;

// Simulates near ties among predictions in closed form, and estimates from these simulations the
// simulated times of the other plans.
class Confirmation {
 public:
  Confirmation(const Predictors& predictors, const std::shared_ptr<const LabelSource>& labels,
               std::vector<Prediction>& predictions, std::vector<Origin>& origins)
      : predictors_(predictors),
        labels_(labels),
        predictions_(predictions),
        origins_(origins),
        posterior_(posterior_of(predictions, predicted_ns(predictions), kClosedFormSpread)) {
    for (size_t i = 0; i < posterior_.size(); ++i) {
      if (confirmed(i)) {
        posterior_.observe(i, predictions_[i].ns_per_input);
      }
    }
  }

  // Simulates near ties. Returns ns per input of all plans: simulated, or estimated from the
  // simulated ones.
  std::vector<double> run() {
    const std::vector<size_t> told = most_telling();
    confirm(told);
    // The plan with the least expected time is simulated as well: estimates from other plans'
    // simulations chose a plan 17 % behind the best (docs/results/regret.md, "One more
    // simulation").
    if (!told.empty() && !confirmed(posterior_.best())) {
      confirm({posterior_.best()});
    }
    std::vector<double> expected;
    for (size_t i = 0; i < posterior_.size(); ++i) {
      expected.push_back(confirmed(i) ? predictions_[i].ns_per_input : posterior_.expected_ns(i));
    }
    return expected;
  }

 private:
  bool confirmed(size_t i) const { return origins_[i] == Origin::simulation; }

  // Simulates several plans at the same time.
  void confirm(const std::vector<size_t>& plans) {
    std::vector<std::future<Prediction>> simulations;
    simulations.reserve(plans.size());
    for (const size_t i : plans) {
      const Prediction& modelled = predictions_[i];
      simulations.push_back(std::async(std::launch::async, [this, &modelled] {
        return predictors_.simulator.predict(modelled.problem, modelled.plan, labels_);
      }));
    }
    std::vector<Prediction> simulated;
    simulated.reserve(plans.size());
    for (std::future<Prediction>& simulation : simulations) {
      simulated.push_back(simulation.get());
    }
    for (size_t k = 0; k < plans.size(); ++k) {
      posterior_.observe(plans[k], simulated[k].ns_per_input);
      predictions_[plans[k]] = std::move(simulated[k]);
      origins_[plans[k]] = Origin::simulation;
    }
  }

  // The plans whose simulation has the largest expected gain, each chosen as if the plans before it
  // were already simulated.
  std::vector<size_t> most_telling() const {
    PlanPosterior posterior = posterior_;
    std::vector<size_t> plans;
    while (plans.size() < kSimulated) {
      size_t best = 0;
      double gain = 0;
      for (size_t i = 0; i < posterior.size(); ++i) {
        const double other = confirmed(i) || std::count(plans.begin(), plans.end(), i) > 0
                                 ? 0
                                 : posterior.gain_by_run(i);
        best = other > gain ? i : best;
        gain = std::max(gain, other);
      }
      if (gain <= kWorthConfirming * posterior.expected_ns(posterior.best())) {
        break;
      }
      plans.push_back(best);
      posterior.observe(best, posterior.middle_ns(best));
    }
    return plans;
  }

  const Predictors& predictors_;
  const std::shared_ptr<const LabelSource>& labels_;
  std::vector<Prediction>& predictions_;
  std::vector<Origin>& origins_;
  PlanPosterior posterior_;
};

// Largest factor between a prediction from one place of a file's labels and one from several
// places. Plans that could be the best within this factor are predicted again from several places.
// Found with nine files and three operations on two machines: factors of 0.77 to 1.43 for plans
// without a pre-sort; 0.78 to 1.4 for plans with one, and 1.7 where they are four times slower than
// the best (docs/results/closed-form.md).
double off_at_one_place(const CpuPlan& plan) {
  return plan.presort ? 1.3 : 1.5;
}

// Predictions of one problem's candidate plans in closed form; by simulation where a plan has no
// closed form.
class Modelled {
 public:
  Modelled(const Predictors& predictors, const Candidates& candidates, const Problem& problem,
           const std::shared_ptr<const LabelSource>& labels)
      : predictors_(predictors), candidates_(candidates), problem_(problem), labels_(labels) {}

  bool has(const CpuPlan& plan) const {
    return predict::in_closed_form(predictors_.model.machine(), problem_, plan);
  }

  // False if all inputs would be simulated and they are too many: on a machine with a block device.
  bool can_be_simulated() const {
    return !predictors_.model.machine().storage || problem_.n <= predict::kMostStoredInputs;
  }

  // A prediction for each candidate plan that may be the best; nothing for other plans.
  std::vector<std::optional<Prediction>> predictions() const {
    const bool looks = known_by_looking(problem_.distribution.kind);
    const auto places = looks ? predict::FilePlaces::one : predict::FilePlaces::several;
    std::vector<std::optional<Prediction>> found =
        pruned_search(candidates_.plans, candidates_.eligible, interval_width(kClosedFormSpread),
                      [&](const CpuPlan& plan, const GiveUp& give_up) -> std::optional<Prediction> {
                        if (!has(plan) && !can_be_simulated()) {
                          return std::nullopt;
                        }
                        return (has(plan) ? predictors_.model : predictors_.simulator)
                            .predict_unless(problem_, plan, labels_, give_up, places);
                      });
    if (looks) {
      look_at_several_places(found);
    }
    return found;
  }

 private:
  // Predicts plans again from several places of the label file, the fastest first, until the rest
  // are too far behind the best.
  void look_at_several_places(std::vector<std::optional<Prediction>>& found) const {
    std::vector<size_t> order;
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i] && has(candidates_.plans[i])) {
        order.push_back(i);
      }
    }
    const auto ns = [&found](size_t i) { return found[i]->ns_per_input; };
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return ns(a) < ns(b); });
    double best = std::numeric_limits<double>::infinity();
    for (const size_t i : order) {
      if (ns(i) < off_at_one_place(candidates_.plans[i]) * best) {
        found[i] = predictors_.model.predict(problem_, candidates_.plans[i], labels_);
        best = std::min(best, ns(i));
      }
    }
  }

  const Predictors& predictors_;
  const Candidates& candidates_;
  const Problem& problem_;
  const std::shared_ptr<const LabelSource>& labels_;
};

void predict_candidates(const Predictors& predictors, const Candidates& candidates,
                        const Problem& problem, const std::shared_ptr<const LabelSource>& labels,
                        Choice& choice) {
  const Modelled modelled(predictors, candidates, problem, labels);
  std::vector<std::optional<Prediction>> predictions = modelled.predictions();
  for (size_t i = 0; i < predictions.size(); ++i) {
    if (predictions[i]) {
      choice.origins.push_back(modelled.has(candidates.plans[i]) ? Origin::model
                                                                 : Origin::simulation);
      choice.predictions.push_back(std::move(*predictions[i]));
      choice.may_be_chosen.push_back(i < candidates.eligible);
    }
  }
}

// Chooses as choose_among does, but by `ns` (per input) instead of the predicted times.
Chosen choose_by(std::span<const Prediction> predictions, const std::vector<double>& ns,
                 const std::vector<bool>& may_be_chosen, const ErrorSpread& spread) {
  const PlanPosterior posterior = posterior_of(predictions, ns, spread);
  const auto may = [&](size_t i) { return may_be_chosen.empty() || may_be_chosen[i]; };
  const auto presorts = [&](size_t i) { return predictions[i].plan.presort.has_value(); };
  const ptrdiff_t best = least_expected(posterior, may);
  const CpuPlan& best_plan = predictions[static_cast<size_t>(best)].plan;
  ptrdiff_t direct = least_expected(posterior, [&](size_t i) { return may(i) && !presorts(i); });
  if (direct < 0) {
    direct = least_expected(posterior, [&](size_t i) { return !presorts(i); });
  }
  const ptrdiff_t sorted =
      least_expected(posterior, [&](size_t i) { return may(i) && presorts(i); });
  const ptrdiff_t second = least_expected(posterior, [&](size_t i) {
    return may(i) && !same_decision(predictions[i].plan, best_plan);
  });
  const auto ns_of = [&](ptrdiff_t i) { return ns[static_cast<size_t>(i)]; };
  return {.plan = static_cast<size_t>(best),
          .direct = static_cast<size_t>(direct),
          .runner_up = static_cast<size_t>(second >= 0 ? second : best),
          .matters = sorted >= 0 && std::abs(ns_of(sorted) / ns_of(direct) - 1) > kModelError};
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

namespace {

predict::SimulationOptions confirming(StopToken stop, bool cold) {
  predict::SimulationOptions options = kConfirmingOptions;
  options.stop = stop;
  options.cold = cold;
  return options;
}

}  // namespace

Predictors::Predictors(const Machine& machine, StopToken stop, bool cold)
    : model(machine, {.method = predict::Method::closedForm, .cold = cold, .stop = stop}),
      simulator(machine, confirming(stop, cold)) {}

Chosen choose_among(std::span<const Prediction> predictions, const std::vector<bool>& may_be_chosen,
                    const ErrorSpread& spread) {
  return choose_by(predictions, predicted_ns(predictions), may_be_chosen, spread);
}

Chosen choose_confirmed(const Predictors& predictors,
                        const std::shared_ptr<const LabelSource>& labels,
                        std::vector<Prediction>& predictions, std::vector<Origin>& origins,
                        const std::vector<bool>& may_be_chosen) {
  const std::vector<double> ns = Confirmation(predictors, labels, predictions, origins).run();
  return choose_by(predictions, ns, may_be_chosen, ErrorSpread{});
}

Choice choose_plan(const Predictors& predictors, const PlanSpace& space, const Problem& problem,
                   const std::shared_ptr<const LabelSource>& labels, Confirm confirm) {
  const Candidates candidates = candidate_plans(space, problem);
  Choice choice;
  predict_candidates(predictors, candidates, problem, labels, choice);
  fill_entry(choice, problem,
             confirm == Confirm::contenders
                 ? choose_confirmed(predictors, labels, choice.predictions, choice.origins,
                                    choice.may_be_chosen)
                 : choose_among(choice.predictions, choice.may_be_chosen));
  return choice;
}

namespace {

// Chooses a plan anew by the times that are expected after timed runs.
void choose_measured(Choice& choice, const MeasuredSearch& search) {
  std::vector<Prediction> expected = choice.predictions;
  for (size_t i = 0; i < expected.size(); ++i) {
    expected[i].ns_per_input = search.expected_ns[i];
  }
  // No spread: after the runs only the expected times count, not how certain they are.
  constexpr ErrorSpread kNone{.mechanism = 0, .phase = 0, .own = 0, .run = 0};
  const Chosen chosen = choose_among(expected, choice.may_be_chosen, kNone);
  fill_entry(choice, choice.entry.problem, chosen);
  choice.entry.predicted_ns_per_input = search.expected_ns[chosen.plan];
  choice.entry.direct_ns_per_input = search.expected_ns[chosen.direct];
  choice.entry.runner_up_ns_per_input = search.expected_ns[chosen.runner_up];
  choice.entry.origin = Origin::measurement;
  choice.expected_ns = search.expected_ns;
  choice.runs = search.runs;
}

}  // namespace

void measure(Choice& choice, int runs, const TimedRun& time) {
  choose_measured(choice, measured_search(choice.predictions, runs, time));
}

void measure_close(Choice& choice, double seconds,
                   const std::function<double(size_t plan)>& seconds_of_run, const QuietRun& time) {
  const MeasuredSearch search = halving_search(choice.predictions, seconds, seconds_of_run, time);
  if (!search.runs.empty()) {
    choose_measured(choice, search);
  }
}

}  // namespace presort::tuner
