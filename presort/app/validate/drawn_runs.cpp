#include "presort/app/validate/drawn_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "presort/app/validate/kept_points.h"
#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/core/measurement.h"

namespace presort::inline v0::app {

namespace {

std::vector<size_t> shuffled_runs(size_t count, uint64_t seed, uint64_t& counter) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[bounded(random_u64(seed, counter++), left)]);
  }
  return order;
}

double regret_of(const ProblemPoints& item, size_t chosen, const DrawnRuns& runs) {
  std::optional<size_t> best;
  for (size_t i = 0; i < item.points.size(); ++i) {
    if (item.points[i].in_grid && kept(item.points[i]) &&
        (!best || runs.finding_ns(i) < runs.finding_ns(*best))) {
      best = i;
    }
  }
  return runs.judging_ns(chosen) / runs.judging_ns(best.value()) - 1;
}

}  // namespace

DrawnRuns::DrawnRuns(const ProblemPoints& item, uint64_t seed)
    : item_(&item), drawn_(item.points.size(), 0) {
  uint64_t counter = 0;
  for (const Point& point : item.points) {
    order_.push_back(shuffled_runs(point.raw_ns.size(), seed, counter));
  }
}

double DrawnRuns::draw(const CpuPlan& plan) {
  for (size_t i = 0; i < item_->points.size(); ++i) {
    const Point& point = item_->points[i];
    if (point.plan != plan || !kept(point)) {
      continue;
    }
    if (drawn_[i] + 1 >= point.raw_ns.size()) {
      throw InputError(
          fmt::format("{}, {}: {} runs were recorded, of which one must be left to "
                      "judge by: too few to draw another one",
                      to_string(item_->problem), to_string(plan), point.raw_ns.size()));
    }
    return point.raw_ns[order_[i][drawn_[i]++]];
  }
  throw InputError(fmt::format("no run of {} with {} was recorded and kept",
                               to_string(item_->problem), to_string(plan)));
}

double DrawnRuns::median_of_turns(size_t point, size_t first, size_t last) const {
  std::vector<double> ns;
  for (size_t turn = first; turn < last; ++turn) {
    ns.push_back(item_->points[point].ns[order_[point][turn]]);
  }
  return median(ns);
}

size_t DrawnRuns::first_judging_turn(size_t point) const {
  const size_t left = order_[point].size() - drawn_[point];
  return order_[point].size() - (left + 1) / 2;
}

double DrawnRuns::judging_ns(size_t point) const {
  return median_of_turns(point, first_judging_turn(point), order_[point].size());
}

double DrawnRuns::finding_ns(size_t point) const {
  const size_t judging = first_judging_turn(point);
  return median_of_turns(point, 0, judging > 0 ? judging : order_[point].size());
}

DrawnScore score_with_drawn_runs(const std::vector<const ProblemPoints*>& problems,
                                 const MeasuringTuner& tuner, int draws, uint64_t seed) {
  DrawnScore score = {.problems = problems.size(), .draws = draws, .mean_interval = {}};
  if (problems.empty()) {
    return score;
  }
  std::vector<double> regrets(problems.size());  // mean over the draws so far, of each problem
  std::vector<double> means;
  for (int draw = 0; draw < draws; ++draw) {
    double sum = 0;
    for (size_t i = 0; i < problems.size(); ++i) {
      const uint64_t turn = static_cast<uint64_t>(draw) * problems.size() + i;
      DrawnRuns runs(*problems[i], random_u64(seed, turn));
      const size_t chosen =
          tuner(*problems[i], [&runs](const CpuPlan& plan) { return runs.draw(plan); });
      const double regret = regret_of(*problems[i], chosen, runs);
      regrets[i] += regret / draws;
      sum += regret;
    }
    means.push_back(sum / static_cast<double>(problems.size()));
  }
  score.mean_regret = mean(means);
  score.mean_interval = middle_95_percent(means);
  score.p95_regret = quantile(regrets, 0.95);
  score.max_regret = quantile(std::move(regrets), 1);
  return score;
}

}  // namespace presort::app
