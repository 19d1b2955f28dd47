#include "presort/app/validate/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "presort/app/machines/load_report.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/kept_points.h"
#include "presort/app/validate/score/drift.h"
#include "presort/core/measurement.h"
#include "presort/tuner/errors/error_interval.h"

namespace presort::inline v0::app {

namespace {

constexpr int kBootstrapReplicates = 1000;
constexpr size_t kWorstPoints = 5;

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
  std::vector<const ProblemPoints*> done;
  for (const ProblemPoints* item : items) {
    if (!item->measured) {
      continue;
    }
    done.push_back(item);
    group.rows.push_back(judge_problem(*item));
    const ProblemRow& row = group.rows.back();
    predicted.push_back(
        {item->problem.m, predicted_best(*item, false) / predicted_best(*item, true)});
    if (row.best_direct_ns > 0 && row.best_presorted_ns > 0) {
      measured.push_back({item->problem.m, row.best_direct_ns / row.best_presorted_ns});
    }
  }
  group.crossover = {crossover(predicted), crossover(measured)};
  group.page_crossovers = crossovers_by_pages(done);
  return group;
}

void count_points(const std::vector<ProblemPoints>& all, Summary& summary) {
  std::vector<double> errors;
  std::vector<double> on_quiet;
  std::vector<double> chosen;
  std::vector<double> spreads;
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
      spreads.push_back(relative_spread(point.ns));
      summary.noisy += spreads.back() > kMaxSpread ? 1 : 0;
      errors.push_back(relative_error(point.judged().ns_per_input, point.measured()));
      summary.inside_interval +=
          tuner::error_interval(point.judged()).holds(point.measured()) ? 1 : 0;
      on_quiet.push_back(relative_error(point.prediction.ns_per_input, point.measured()));
      summary.beside_siblings += &point.judged() == &point.prediction ? 0 : 1;
      if (i == item.tuned || i == item.direct) {
        chosen.push_back(errors.back());
      }
    }
  }
  summary.errors = summarise_errors(errors);
  summary.quiet_core_errors = summarise_errors(on_quiet);
  summary.chosen_errors = summarise_errors(chosen);
  if (!spreads.empty()) {
    summary.median_spread = median(spreads);
    summary.p90_spread = quantile(spreads, 0.9);
  }
}

void add_decisions(const std::vector<ProblemRow*>& rows, Summary& summary) {
  double right = 0;
  double right_of_clear = 0;
  for (const ProblemRow* row : rows) {
    right += row->right_decision ? 1 : 0;
    if (row->gap() > kClearGap) {
      ++summary.clear_problems;
      right_of_clear += row->right_decision ? 1 : 0;
    }
  }
  summary.right_decision = right / static_cast<double>(rows.size());
  if (summary.clear_problems > 0) {
    summary.right_decision_of_clear = right_of_clear / static_cast<double>(summary.clear_problems);
  }
}

// Rows of the problems that have a regret.
std::vector<ProblemRow*> usable_rows(Summary& summary) {
  std::vector<ProblemRow*> rows;
  for (GroupSummary& group : summary.groups) {
    for (ProblemRow& row : group.rows) {
      if (row.usable) {
        rows.push_back(&row);
      }
    }
  }
  return rows;
}

void add_regrets(const std::vector<ProblemRow*>& rows, const Machine& machine, Summary& summary) {
  std::vector<RegretCase> cases;
  std::vector<const ProblemPoints*> problems;
  for (const ProblemRow* row : rows) {
    const ProblemPoints& item = *row->item;
    problems.push_back(&item);
    cases.push_back({item.points[item.tuned].ns, repeats_of(kept_grid_points(item, Side::all))});
  }
  const RegretResult result = evaluate_regret(cases, kBootstrapReplicates, 1);
  double within = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i]->regret = result.regrets[i];
    rows[i]->regret_interval = result.intervals[i];
    within += result.regrets[i] <= 0.05 ? 1 : 0;
  }
  summary.regret_points = rows.size();
  summary.mean_regret = result.mean_regret;
  summary.mean_regret_interval = result.mean_interval;
  summary.p95_regret = quantile(result.regrets, 0.95);
  summary.max_regret = quantile(result.regrets, 1);
  summary.within_5_percent = within / static_cast<double>(rows.size());
  summary.baselines = fixed_choices(problems);
  for (Baseline& baseline : rule_choices(problems, machine)) {
    summary.baselines.push_back(std::move(baseline));
  }
}

}  // namespace

double ProblemRow::gap() const {
  if (best_direct_ns == 0 || best_presorted_ns == 0) {
    return 0;
  }
  const auto [fast, slow] = std::minmax(best_direct_ns, best_presorted_ns);
  return slow / fast - 1;
}

ProblemRow judge_problem(const ProblemPoints& item) {
  ProblemRow row;
  row.item = &item;
  const std::vector<const Point*> grid = kept_grid_points(item, Side::all);
  row.usable = kept(item.points[item.tuned]) && !grid.empty();
  row.best_direct_ns = best_time(kept_grid_points(item, Side::direct));
  row.best_presorted_ns = best_time(kept_grid_points(item, Side::presorted));
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

Summary summarise(const std::vector<ProblemPoints>& all, const Machine& machine) {
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
  const std::vector<ProblemRow*> rows = usable_rows(summary);
  if (!rows.empty()) {
    add_regrets(rows, machine, summary);
    add_decisions(rows, summary);
  }
  summary.probe_warnings = probe_warnings(machine);
  summary.regimes = errors_by_regime(all, machine);
  summary.worst = worst_points(all, machine, kWorstPoints);
  return summary;
}

}  // namespace presort::app
