#include "presort/app/validate/report/result_files.h"

#include "presort/app/machines/load_report.h"
#include "presort/app/page/facts.h"
#include "presort/app/validate/report/summary_text.h"
#include "presort/app/validate/score/statistics.h"
#include "presort/io/json/machine_json.h"
#include "presort/tuner/errors/error_interval.h"

namespace presort::inline v0::app {

io::Json errors_json(const ErrorSummary& errors) {
  return {{"points", errors.points},
          {"median_abs_error", errors.median_abs},
          {"p90_abs_error", errors.p90_abs},
          {"max_abs_error", errors.max_abs}};
}

namespace {

using io::Json;

Json regimes_json(const Grouping& grouping) {
  Json regimes = Json::array();
  for (const Regime& regime : grouping.regimes) {
    Json entry = errors_json(regime.errors);
    entry["regime"] = regime.name;
    entry["bias"] = regime.bias;
    entry["median_spread"] = regime.spread;
    if (regime.inside) {
      entry["inside_80_percent_interval"] = *regime.inside;
    }
    regimes.push_back(std::move(entry));
  }
  return regimes;
}

}  // namespace

io::Json groupings_json(const std::vector<Grouping>& all) {
  Json groupings = Json::object();
  for (const Grouping& grouping : all) {
    groupings[grouping.key] = regimes_json(grouping);
  }
  return groupings;
}

namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json interval_json(const Interval& interval) {
  return Json::array({interval.low, interval.high});
}

Json phases_json(const Prediction& prediction) {
  Json phases = Json::array();
  for (const PhasePrediction& phase : prediction.phases) {
    phases.push_back({{"name", phase.name}, {"ns_per_input", phase.ns_per_input}});
  }
  return phases;
}

Json chosen_json(const Point& point) {
  const double measured = point.measured();
  Json phases = Json::array();
  for (const PhasePrediction& phase : point.judged().phases) {
    phases.push_back({{"name", phase.name}, {"predicted_ns_per_input", phase.ns_per_input}});
  }
  return {{"plan", io::plan_to_json(point.plan)},
          {"predicted_ns_per_input", point.judged().ns_per_input},
          {"measured_ns_per_input", measured},
          {"relative_error", relative_error(point.judged().ns_per_input, measured)},
          {"dropped", point.dropped},
          {"phases", phases}};
}

Json row_json(const ProblemRow& row) {
  const ProblemPoints& item = *row.item;
  Json json = {{"m", item.problem.m},
               {"tuned", chosen_json(item.points[item.tuned])},
               {"direct", chosen_json(item.points[item.direct])},
               {"tuned_entry_exact", item.tuned_exact},
               {"best_direct_ns_per_input", row.best_direct_ns},
               {"best_presorted_ns_per_input", row.best_presorted_ns},
               {"gap", row.gap()},
               {"usable", row.usable}};
  if (row.best_plan != nullptr) {
    json["best_plan"] = io::plan_to_json(*row.best_plan);
  }
  if (row.usable) {
    json["regret"] = row.regret;
    json["regret_ci95"] = interval_json(row.regret_interval);
    json["right_decision"] = row.right_decision;
  }
  return json;
}

Json crossovers_json(const GroupSummary& group) {
  Json crossovers = Json::array();
  for (const PageCrossover& crossover : group.page_crossovers) {
    const std::optional<double> factor = crossover.factor();
    crossovers.push_back({{"page_size", to_name(kPageSizes, crossover.pages)},
                          {"predicted_m", or_null(crossover.predicted)},
                          {"measured_m", or_null(crossover.measured)},
                          {"factor", or_null(factor)}});
  }
  return crossovers;
}

Json group_json(const GroupSummary& group) {
  Json rows = Json::array();
  for (const ProblemRow& row : group.rows) {
    rows.push_back(row_json(row));
  }
  return {{"problem", group.title},
          {"predicted_crossover_m", or_null(group.crossover.predicted)},
          {"measured_crossover_m", or_null(group.crossover.measured)},
          {"crossover_factor", or_null(group.crossover.factor())},
          {"crossovers", crossovers_json(group)},
          {"rows", rows}};
}

Json prediction_json(const Summary& summary) {
  Json json = errors_json(summary.errors);
  json["median_spread"] = summary.median_spread;
  json["p90_spread"] = summary.p90_spread;
  return json;
}

Json worst_json(const Summary& summary) {
  Json points = Json::array();
  for (const WorstPoint& worst : summary.worst) {
    points.push_back({{"problem", io::problem_to_json(worst.item->problem)},
                      {"plan", io::plan_to_json(worst.point->plan)},
                      {"predicted_ns_per_input", worst.point->judged().ns_per_input},
                      {"measured_ns_per_input", worst.point->measured()},
                      {"relative_error", worst.error},
                      {"spread", worst.spread},
                      {"buckets_fit_in", worst.buckets_in},
                      {"largest_term", worst.term},
                      {"largest_term_share", worst.term_share}});
  }
  return points;
}

Json baselines_json(const Summary& summary) {
  Json baselines = Json::array();
  for (const Baseline& baseline : summary.baselines) {
    baselines.push_back({{"name", baseline.name},
                         {"plan", baseline.plan ? io::plan_to_json(*baseline.plan) : Json(nullptr)},
                         {"rule", baseline.plan ? Json(nullptr) : Json(baseline.rule)},
                         {"points", baseline.points},
                         {"mean_regret", baseline.mean_regret},
                         {"p95_regret", baseline.p95_regret},
                         {"max_regret", baseline.max_regret}});
  }
  return baselines;
}

Json measured_json(const MeasuredScore& measured) {
  const DrawnScore& score = measured.score;
  return {{"runs", measured.runs},
          {"points", score.problems},
          {"draws", score.draws},
          {"mean_regret", score.mean_regret},
          {"mean_regret_ci95", interval_json(score.mean_interval)},
          {"p95_regret", score.p95_regret},
          {"max_regret", score.max_regret}};
}

Json draw_json(const DrawRecord& draw) {
  return {{"seed", draw.seed},
          {"points_wanted", draw.wanted},
          {"problems", draw.problems},
          {"replaced_beyond_prediction", draw.beyond_prediction},
          {"replaced_beyond_memory", draw.beyond_memory},
          {"replaced_beyond_time", draw.beyond_time},
          {"memory_limit_bytes", draw.memory_bytes},
          {"time_limit_seconds", draw.limit_s},
          {"estimated_seconds", draw.estimated_s},
          {"reps", draw.reps}};
}

Json tuning_json(const Summary& summary) {
  return {{"points", summary.regret_points},
          {"mean_regret", summary.mean_regret},
          {"mean_regret_ci95", interval_json(summary.mean_regret_interval)},
          {"p95_regret", summary.p95_regret},
          {"max_regret", summary.max_regret},
          {"within_5_percent", summary.within_5_percent},
          {"right_decision", summary.right_decision},
          {"clear_problems", summary.clear_problems},
          {"right_decision_of_clear", or_null(summary.right_decision_of_clear)},
          {"measured", summary.measured ? measured_json(*summary.measured) : Json(nullptr)},
          {"baselines", baselines_json(summary)}};
}

}  // namespace

Json summary_json(const Summary& summary, const DriftReport& drift, bool complete) {
  Json groups = Json::array();
  for (const GroupSummary& group : summary.groups) {
    groups.push_back(group_json(group));
  }
  const bool unjudged = summary.too_few_quiet();
  return {{"too_busy", unjudged ? Json(true) : too_busy_json(summary.load)},
          {"headline", headline_text(summary)},
          {"machine_load", load_or_null(summary.load)},
          {"prediction", prediction_json(summary)},
          {"prediction_of_chosen_plans", errors_json(summary.chosen_errors)},
          {"prediction_of_quiet_cores", errors_json(summary.quiet_core_errors)},
          {"points_beside_busy_siblings", summary.beside_siblings},
          {"points_inside_80_percent_interval", summary.inside_interval},
          {"draw", summary.draw ? draw_json(*summary.draw) : Json(nullptr)},
          {"tuning", tuning_json(summary)},
          {"groups", groups},
          {"errors_by_regime",
           summary.regimes.empty() ? Json::array() : regimes_json(summary.regimes.front())},
          {"errors_by", groupings_json(summary.regimes)},
          {"worst_points", worst_json(summary)},
          {"points_measured", summary.points},
          {"points_rerun", summary.rerun},
          {"runs_kept", summary.kept_runs},
          {"runs_quiet", summary.quiet_runs},
          {"points_noisy", summary.noisy},
          {"dropped", summary.dropped},
          {"skipped", summary.skipped},
          {"probe_warnings", summary.probe_warnings},
          {"drift",
           {{"references", drift.references},
            {"median_ns_per_input", drift.median_ns_per_input},
            {"spread", drift.spread}}},
          {"waited_for_quiet_seconds", drift.waited_s},
          {"waited_in_vain", drift.waited_in_vain},
          {"complete", complete},
          {"provenance", io::provenance_to_json(io::current_provenance())}};
}

std::string result_lines(const std::vector<ProblemPoints>& all, const Machine& machine,
                         bool complete, const std::optional<probe::LoadJudgement>& load) {
  const Json machine_load = load_or_null(load);
  const Json machine_values = io::machine_to_json(machine);
  const Json provenance = io::provenance_to_json(io::current_provenance());
  std::string lines;
  for (const ProblemPoints& item : all) {
    for (size_t i = 0; i < item.points.size(); ++i) {
      const Point& point = item.points[i];
      if (point.ns.empty()) {
        continue;
      }
      const tuner::ErrorInterval interval = tuner::error_interval(point.judged());
      const Json line = {
          {"schema", "result/1"},
          {"presort", "result/1"},
          {"problem", io::problem_to_json(item.problem)},
          {"plan", io::plan_to_json(point.plan)},
          {"seed", item.problem.seed},
          {"in_grid", point.in_grid},
          {"predicted_ns_per_input", point.judged().ns_per_input},
          {"predicted_ci95_relative", point.judged().ci95_relative},
          {"predicted_80_percent_ns_per_input", Json::array({interval.low, interval.high})},
          {"predicted_on_quiet_cores_ns_per_input", point.prediction.ns_per_input},
          {"predicted_beside_siblings_ns_per_input",
           point.beside_siblings ? Json(point.beside_siblings->ns_per_input) : Json(nullptr)},
          {"beside_busy_siblings", point.ran_beside_siblings()},
          {"measured_ns_per_input", point.measured()},
          {"samples_ns_per_input", point.ns},
          {"raw_samples_ns_per_input", point.raw_ns},
          {"spread", relative_spread(point.ns)},
          {"quiet_samples", point.quiet},
          {"rerun", point.rerun},
          {"dropped", point.dropped},
          {"after_itself", point.after_itself},
          {"tuned", i == item.tuned},
          {"direct", i == item.direct},
          {"predicted_stack_ns", io::stack_to_json(point.judged().stack_ns)},
          {"predicted_phases", phases_json(point.judged())},
          {"predicted_memory_bytes_per_input", or_null(page::memory_bytes(point.judged()))},
          {"complete", complete},
          {"machine_load", machine_load},
          {"provenance", provenance},
          {"machine", machine_values}};
      lines += io::json_line(line);
    }
  }
  return lines;
}

}  // namespace presort::app
