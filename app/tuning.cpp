#include "app/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/interrupt.h"
#include "app/parallel.h"
#include "app/problem_options.h"
#include "core/units.h"

namespace presort::app {

Choices choose_plans(const Machine& machine, const tuner::PlanSpace& space,
                     const std::vector<Problem>& problems, tuner::Confirm confirm,
                     Progress& progress) {
  std::vector<std::optional<tuner::Choice>> slots(problems.size());
  const tuner::Predictors predictors(machine);
  size_t finished = 0;
  parallel_for(
      problems.size(),
      [&](size_t turn) {
        const size_t i = problems.size() - 1 - turn;  // the last, of the most buckets, take longest
        slots[i] = tuner::choose_plan(predictors, space, problems[i], problem_labels(problems[i]),
                                      confirm);
      },
      [&](size_t turn) {
        progress.update(++finished, problems.size(),
                        to_string(problems[problems.size() - 1 - turn]));
      });
  Choices choices;
  for (std::optional<tuner::Choice>& slot : slots) {
    if (slot) {
      choices.items.push_back(std::move(*slot));
    } else {
      choices.complete = false;
    }
  }
  return choices;
}

BestTimes best_times(const tuner::Choice& choice) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  BestTimes best = {kNone, kNone};
  const auto simulated = [&choice](bool presorted) {
    for (size_t i = 0; i < choice.predictions.size(); ++i) {
      if (choice.predictions[i].plan.presort.has_value() == presorted &&
          choice.origins[i] == Origin::simulation) {
        return true;
      }
    }
    return false;
  };
  const bool confirmed[] = {simulated(false), simulated(true)};
  for (size_t i = 0; i < choice.predictions.size(); ++i) {
    const Prediction& prediction = choice.predictions[i];
    const bool presorted = prediction.plan.presort.has_value();
    double& side = presorted ? best.presorted : best.direct;
    if (!choice.expected_ns.empty()) {
      side = std::min(side, choice.expected_ns[i]);
    } else if (!confirmed[presorted] || choice.origins[i] == Origin::simulation) {
      side = std::min(side, prediction.ns_per_input);
    }
  }
  return best;
}

std::optional<uint64_t> crossover_of(const std::vector<tuner::Choice>& choices,
                                     const Problem& like) {
  std::vector<CrossoverPoint> points;
  for (const tuner::Choice& choice : choices) {
    Problem same_m = choice.entry.problem;
    same_m.m = like.m;
    if (same_m == like) {
      points.push_back({choice.entry.problem.m, best_times(choice).ratio()});
    }
  }
  return crossover(points);
}

std::string crossover_text(std::optional<uint64_t> crossover, uint64_t largest_m) {
  return crossover ? "m = " + format_count(*crossover)
                   : "none up to m = " + format_count(largest_m);
}

}  // namespace presort::app
