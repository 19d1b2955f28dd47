#include "app/validate/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/text.h"
#include "app/validate/drift.h"
#include "core/measurement.h"

namespace presort::app {

namespace {

constexpr int kBootstrapReplicates = 1000;
constexpr size_t kWorstPoints = 5;

bool kept(const Point& point) {
  return !point.ns.empty() && !point.dropped;
}

// Kept points of the grid; all of them, or those with or without a pre-sort.
enum class Side { all, direct, presorted };
std::vector<const Point*> grid_points(const ProblemPoints& item, Side side) {
  std::vector<const Point*> points;
  for (const Point& point : item.points) {
    const bool presorted = point.plan.presort.has_value();
    if (point.in_grid && kept(point) &&
        (side == Side::all || (side == Side::presorted) == presorted)) {
      points.push_back(&point);
    }
  }
  return points;
}

std::vector<Repeats> repeats_of(const std::vector<const Point*>& points) {
  std::vector<Repeats> repeats;
  for (const Point* point : points) {
    repeats.push_back(point->ns);
  }
  return repeats;
}

double best_time(const ProblemPoints& item, Side side) {
  const std::vector<Repeats> repeats = repeats_of(grid_points(item, side));
  return repeats.empty() ? 0 : timed(repeats[choose_best(repeats)]);
}

ProblemRow make_row(const ProblemPoints& item) {
  ProblemRow row;
  row.item = &item;
  const std::vector<const Point*> grid = grid_points(item, Side::all);
  row.usable = kept(item.points[item.tuned]) && !grid.empty();
  row.best_direct_ns = best_time(item, Side::direct);
  row.best_presorted_ns = best_time(item, Side::presorted);
  if (!grid.empty()) {
    row.best_plan = &grid[choose_best(repeats_of(grid))]->plan;
  }
  const bool presorts = item.points[item.tuned].plan.presort.has_value();
  if (row.best_direct_ns == 0 || row.best_presorted_ns == 0) {
    row.right_decision = presorts == (row.best_direct_ns == 0);
  } else {
    const double ratio = row.best_direct_ns / row.best_presorted_ns;
    row.right_decision = std::abs(ratio - 1) < kTie || presorts == (ratio > 1);
  }
  return row;
}

double predicted_best(const ProblemPoints& item, bool presorted) {
  double best = std::numeric_limits<double>::infinity();
  for (const Point& point : item.points) {
    if (point.plan.presort.has_value() == presorted) {
      best = std::min(best, point.prediction.ns_per_input);
    }
  }
  return best;
}

GroupSummary make_group(const std::vector<const ProblemPoints*>& items) {
  GroupSummary group;
  group.title = group_title(items.front()->problem);
  std::vector<CrossoverPoint> predicted;
  std::vector<CrossoverPoint> measured;
  for (const ProblemPoints* item : items) {
    if (!item->measured) {
      continue;
    }
    group.rows.push_back(make_row(*item));
    const ProblemRow& row = group.rows.back();
    predicted.push_back(
        {item->problem.m, predicted_best(*item, false) / predicted_best(*item, true)});
    if (row.best_direct_ns > 0 && row.best_presorted_ns > 0) {
      measured.push_back({item->problem.m, row.best_direct_ns / row.best_presorted_ns});
    }
  }
  group.predicted_crossover = crossover(predicted);
  group.measured_crossover = crossover(measured);
  return group;
}

void count_points(const std::vector<ProblemPoints>& all, Summary& summary) {
  std::vector<double> errors;
  std::vector<double> chosen;
  for (const ProblemPoints& item : all) {
    for (size_t i = 0; i < item.points.size(); ++i) {
      const Point& point = item.points[i];
      if (point.ns.empty()) {
        continue;
      }
      ++summary.points;
      summary.rerun += point.rerun ? 1 : 0;
      summary.kept_runs += point.ns.size();
      summary.quiet_runs += point.quiet;
      if (point.dropped) {
        summary.dropped.push_back(fmt::format("{}, {}: repeats spread {}", to_string(item.problem),
                                              short_plan(point.plan),
                                              format_percent(relative_spread(point.ns))));
        continue;
      }
      summary.noisy += relative_spread(point.ns) > kMaxSpread ? 1 : 0;
      errors.push_back(relative_error(point.prediction.ns_per_input, point.measured()));
      if (i == item.tuned || i == item.direct) {
        chosen.push_back(errors.back());
      }
    }
  }
  summary.errors = summarise_errors(errors);
  summary.chosen_errors = summarise_errors(chosen);
}

void add_regrets(Summary& summary) {
  std::vector<RegretCase> cases;
  std::vector<ProblemRow*> rows;
  for (GroupSummary& group : summary.groups) {
    for (ProblemRow& row : group.rows) {
      if (row.usable) {
        rows.push_back(&row);
        cases.push_back(
            {row.item->points[row.item->tuned].ns, repeats_of(grid_points(*row.item, Side::all))});
      }
    }
  }
  if (cases.empty()) {
    return;
  }
  const RegretResult result = evaluate_regret(cases, kBootstrapReplicates, 1);
  double within = 0;
  double right = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i]->regret = result.regrets[i];
    rows[i]->regret_interval = result.intervals[i];
    within += result.regrets[i] <= 0.05 ? 1 : 0;
    right += rows[i]->right_decision ? 1 : 0;
  }
  const auto count = static_cast<double>(rows.size());
  summary.regret_points = rows.size();
  summary.mean_regret = result.mean_regret;
  summary.mean_regret_interval = result.mean_interval;
  summary.p95_regret = quantile(result.regrets, 0.95);
  summary.max_regret = quantile(result.regrets, 1);
  summary.within_5_percent = within / count;
  summary.right_decision = right / count;
}

}  // namespace

Summary summarise(const std::vector<ProblemPoints>& all) {
  Summary summary;
  for (const ProblemPoints& item : all) {
    if (!item.skipped.empty()) {
      summary.skipped.push_back(to_string(item.problem) + ": " + item.skipped);
    }
  }
  count_points(all, summary);
  for (const auto& items : group_by_m(all)) {
    GroupSummary group = make_group(items);
    if (!group.rows.empty()) {
      summary.groups.push_back(std::move(group));
    }
  }
  add_regrets(summary);
  summary.regimes = errors_by_regime(all);
  summary.worst = worst_points(all, kWorstPoints);
  return summary;
}

}  // namespace presort::app
