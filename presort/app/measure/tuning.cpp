#include "presort/app/measure/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

Choices choose_plans(const Machine& machine, const tuner::PlanSpace& space,
                     const std::vector<Problem>& problems, tuner::Confirm confirm,
                     Progress& progress, const LabelsOf& labels_of) {
  std::vector<std::optional<tuner::Choice>> slots(problems.size());
  const tuner::Predictors predictors(machine, interrupt_token());
  size_t finished = 0;
  parallel_for(
      problems.size(),
      [&](size_t turn) {
        // Problems are worked on from the last to the first: the last have the most buckets and
        // take longest
        const size_t i = problems.size() - 1 - turn;
        slots[i] =
            tuner::choose_plan(predictors, space, problems[i], labels_of(problems[i]), confirm);
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

double known_ns(const tuner::Choice& choice, size_t i) {
  return choice.expected_ns.empty() ? choice.predictions[i].ns_per_input : choice.expected_ns[i];
}

std::optional<size_t> best_of(const tuner::Choice& choice, PlanKind kind) {
  const bool timed = !choice.expected_ns.empty();
  // Order of predictions: simulated ones before those in closed form, then by time.
  const auto rank = [&](size_t i) {
    const bool modelled = !timed && choice.origins[i] == Origin::model;
    return std::pair(modelled, known_ns(choice, i));
  };
  std::optional<size_t> best;
  for (size_t i = 0; i < choice.predictions.size(); ++i) {
    const bool presorted = choice.predictions[i].plan.presort.has_value();
    if (presorted == (kind == PlanKind::presorted) && (!best || rank(i) < rank(*best))) {
      best = i;
    }
  }
  return best;
}

BestTimes best_times(const tuner::Choice& choice) {
  const auto ns = [&choice](PlanKind kind) {
    const std::optional<size_t> best = best_of(choice, kind);
    return best ? known_ns(choice, *best) : std::numeric_limits<double>::infinity();
  };
  return {ns(PlanKind::direct), ns(PlanKind::presorted)};
}

namespace {

// The times, over m, of those problems that differ from `like` in m alone.
std::vector<CrossoverPoint> points_like(const std::vector<ProblemTimes>& times,
                                        const Problem& like) {
  std::vector<CrossoverPoint> points;
  for (const ProblemTimes& one : times) {
    Problem same_m = one.problem;
    same_m.m = like.m;
    if (same_m == like) {
      points.push_back({one.problem.m, one.best.ratio()});
    }
  }
  return points;
}

std::string listed_counts(const std::vector<uint64_t>& counts) {
  std::string text;
  for (const uint64_t count : counts) {
    text += (text.empty() ? "" : ", ") + format_count(count);
  }
  return text;
}

}  // namespace

std::vector<ProblemTimes> times_of(const std::vector<tuner::Choice>& choices) {
  std::vector<ProblemTimes> times;
  for (const tuner::Choice& choice : choices) {
    times.push_back({choice.entry.problem, best_times(choice)});
  }
  return times;
}

std::optional<uint64_t> crossover_of(const std::vector<ProblemTimes>& times, const Problem& like) {
  return crossover(points_like(times, like));
}

std::optional<uint64_t> crossover_of(const std::vector<tuner::Choice>& choices,
                                     const Problem& like) {
  return crossover_of(times_of(choices), like);
}

std::string crossover_line(const std::vector<ProblemTimes>& times, const Problem& like) {
  const std::vector<CrossoverPoint> points = points_like(times, like);
  const auto by_m = [](const CrossoverPoint& a, const CrossoverPoint& b) { return a.m < b.m; };
  const auto [least, largest] = std::minmax_element(points.begin(), points.end(), by_m);
  const std::vector<uint64_t> paying = paying_m(points);
  if (least->m == largest->m) {
    return fmt::format("pre-sorting {} at m = {}", paying.empty() ? "does not pay" : "pays",
                       format_count(largest->m));
  }
  if (const std::optional<uint64_t> from = crossover(points)) {
    return "crossover: m = " + format_count(*from);
  }
  return paying.empty() ? "crossover: none up to m = " + format_count(largest->m)
                        : fmt::format("crossover: none; pre-sorting pays at m = {} alone",
                                      listed_counts(paying));
}

}  // namespace presort::app
