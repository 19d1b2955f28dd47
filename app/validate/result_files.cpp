#include "app/validate/result_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/text.h"
#include "app/tuning.h"
#include "app/validate/drift.h"
#include "core/measurement.h"
#include "core/units.h"
#include "io/machine_json.h"

namespace presort::app {

namespace {

using io::Json;

Json or_null(std::optional<uint64_t> value) {
  return value ? Json(*value) : Json(nullptr);
}

Json interval_json(const Interval& interval) {
  return Json::array({interval.low, interval.high});
}

Json chosen_json(const Point& point) {
  const double measured = point.measured();
  Json phases = Json::array();
  for (const PhasePrediction& phase : point.prediction.phases) {
    phases.push_back({{"name", phase.name}, {"predicted_ns_per_input", phase.ns_per_input}});
  }
  return {{"plan", io::plan_to_json(point.plan)},
          {"predicted_ns_per_input", point.prediction.ns_per_input},
          {"measured_ns_per_input", measured},
          {"relative_error", relative_error(point.prediction.ns_per_input, measured)},
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

Json group_json(const GroupSummary& group) {
  Json rows = Json::array();
  for (const ProblemRow& row : group.rows) {
    rows.push_back(row_json(row));
  }
  return {{"problem", group.title},
          {"predicted_crossover_m", or_null(group.predicted_crossover)},
          {"measured_crossover_m", or_null(group.measured_crossover)},
          {"rows", rows}};
}

Json errors_json(const ErrorSummary& errors) {
  return {{"points", errors.points},
          {"median_abs_error", errors.median_abs},
          {"p90_abs_error", errors.p90_abs},
          {"max_abs_error", errors.max_abs}};
}

Json regimes_json(const Summary& summary) {
  Json regimes = Json::array();
  for (const Regime& regime : summary.regimes) {
    Json entry = errors_json(regime.errors);
    entry["regime"] = regime.name;
    entry["bias"] = regime.bias;
    regimes.push_back(std::move(entry));
  }
  return regimes;
}

Json worst_json(const Summary& summary) {
  Json points = Json::array();
  for (const WorstPoint& worst : summary.worst) {
    points.push_back({{"problem", io::problem_to_json(worst.item->problem)},
                      {"plan", io::plan_to_json(worst.point->plan)},
                      {"predicted_ns_per_input", worst.point->prediction.ns_per_input},
                      {"measured_ns_per_input", worst.point->measured()},
                      {"relative_error", worst.error},
                      {"largest_term", worst.term},
                      {"largest_term_share", worst.term_share}});
  }
  return points;
}

Json tuning_json(const Summary& summary) {
  return {{"points", summary.regret_points},
          {"mean_regret", summary.mean_regret},
          {"mean_regret_ci95", interval_json(summary.mean_regret_interval)},
          {"p95_regret", summary.p95_regret},
          {"max_regret", summary.max_regret},
          {"within_5_percent", summary.within_5_percent},
          {"right_decision", summary.right_decision}};
}

}  // namespace

Json summary_json(const Summary& summary, const DriftReport& drift, bool complete) {
  Json groups = Json::array();
  for (const GroupSummary& group : summary.groups) {
    groups.push_back(group_json(group));
  }
  return {{"prediction", errors_json(summary.errors)},
          {"prediction_of_chosen_plans", errors_json(summary.chosen_errors)},
          {"tuning", tuning_json(summary)},
          {"groups", groups},
          {"errors_by_regime", regimes_json(summary)},
          {"worst_points", worst_json(summary)},
          {"points_measured", summary.points},
          {"points_rerun", summary.rerun},
          {"runs_kept", summary.kept_runs},
          {"runs_quiet", summary.quiet_runs},
          {"points_noisy", summary.noisy},
          {"dropped", summary.dropped},
          {"drift",
           {{"references", drift.references},
            {"median_ns_per_input", drift.median_ns_per_input},
            {"spread", drift.spread}}},
          {"complete", complete},
          {"provenance", io::provenance_to_json(io::current_provenance())}};
}

std::string result_lines(const std::vector<ProblemPoints>& all, const Machine& machine) {
  const Json machine_values = io::machine_to_json(machine);
  const Json provenance = io::provenance_to_json(io::current_provenance());
  std::string lines;
  for (const ProblemPoints& item : all) {
    for (const Point& point : item.points) {
      if (point.ns.empty()) {
        continue;
      }
      const Json line = {{"presort", "result/1"},
                         {"problem", io::problem_to_json(item.problem)},
                         {"plan", io::plan_to_json(point.plan)},
                         {"seed", item.problem.seed},
                         {"in_grid", point.in_grid},
                         {"predicted_ns_per_input", point.prediction.ns_per_input},
                         {"predicted_ci95_relative", point.prediction.ci95_relative},
                         {"measured_ns_per_input", point.measured()},
                         {"samples_ns_per_input", point.ns},
                         {"raw_samples_ns_per_input", point.raw_ns},
                         {"spread", relative_spread(point.ns)},
                         {"quiet_samples", point.quiet},
                         {"rerun", point.rerun},
                         {"dropped", point.dropped},
                         {"provenance", provenance},
                         {"machine", machine_values}};
      lines += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
  }
  return lines;
}

namespace {

// The row where the tuner's plan gains most over the tuner's direct one, as measured.
const ProblemRow& largest_gain(const GroupSummary& group) {
  const auto gain = [](const ProblemRow& row) {
    return row.item->points[row.item->direct].measured() /
           row.item->points[row.item->tuned].measured();
  };
  return *std::max_element(
      group.rows.begin(), group.rows.end(),
      [&](const ProblemRow& a, const ProblemRow& b) { return gain(a) < gain(b); });
}

std::string best_plan_line(const GroupSummary& group) {
  const ProblemPoints& item = *largest_gain(group).item;
  const double direct = item.points[item.direct].measured();
  const double tuned = item.points[item.tuned].measured();
  return fmt::format("best plan    {} at m = {}: {}, {} instead of {} ns per input\n",
                     to_name(kOperations, item.problem.operation), format_count(item.problem.m),
                     short_plan(item.points[item.tuned].plan), format_ns(tuned), format_ns(direct));
}

std::string skipped_lines(const Summary& summary) {
  std::string text = "skipped      GPU plans: this version has no CUDA kernels\n";
  for (const std::string& skipped : summary.skipped) {
    text += "             " + skipped + "\n";
  }
  return text;
}

}  // namespace

std::string summary_text(const Summary& summary, const Machine& machine, bool complete) {
  std::string text = fmt::format("presort {} on {}{}\n", io::current_provenance().tool_version,
                                 machine.name, complete ? "" : " (interrupted: partial results)");
  text += fmt::format(
      "points       {} measured, {} run again, {} kept though noisy, {} dropped; {} of {} "
      "runs were quiet\n",
      summary.points, summary.rerun, summary.noisy, summary.dropped.size(), summary.quiet_runs,
      summary.kept_runs);
  text +=
      fmt::format("prediction   median error {}, 90 % of points below {}, worst {}\n",
                  format_percent(summary.errors.median_abs), format_percent(summary.errors.p90_abs),
                  format_percent(summary.errors.max_abs));
  text +=
      fmt::format("             of the tuner's plans and their direct rivals: median error {}\n",
                  format_percent(summary.chosen_errors.median_abs));
  text += fmt::format(
      "regret       mean {} (95 %: {} to {}), worst {}\n", format_percent(summary.mean_regret),
      format_percent(summary.mean_regret_interval.low),
      format_percent(summary.mean_regret_interval.high), format_percent(summary.max_regret));
  text += fmt::format(
      "decisions    {} of {} problems right (pre-sort or not), {} within 5 % of "
      "the best plan\n",
      format_percent(summary.right_decision), summary.regret_points,
      format_percent(summary.within_5_percent));
  for (const GroupSummary& group : summary.groups) {
    const uint64_t largest = group.rows.back().item->problem.m;
    text += fmt::format("crossover    predicted {}, measured {}: {}\n",
                        crossover_text(group.predicted_crossover, largest),
                        crossover_text(group.measured_crossover, largest), group.title);
    text += best_plan_line(group);
  }
  return text + skipped_lines(summary);
}

std::string rows_text(const Summary& summary) {
  std::string text;
  for (const GroupSummary& group : summary.groups) {
    TextTable table({"m", "direct pred.", "meas.", "tuned pred.", "meas.", "error", "regret",
                     "right", "tuned plan"});
    for (const ProblemRow& row : group.rows) {
      const Point& direct = row.item->points[row.item->direct];
      const Point& tuned = row.item->points[row.item->tuned];
      table.add({format_count(row.item->problem.m), format_ns(direct.prediction.ns_per_input),
                 format_ns(direct.measured()), format_ns(tuned.prediction.ns_per_input),
                 format_ns(tuned.measured()),
                 signed_percent(relative_error(tuned.prediction.ns_per_input, tuned.measured())),
                 row.usable ? signed_percent(row.regret) : "dropped",
                 row.usable ? (row.right_decision ? "yes" : "no") : "-", short_plan(tuned.plan)});
    }
    text += group.title + ", ns per input\n" + table.text() + "\n";
  }
  return text;
}

std::string regimes_text(const Summary& summary) {
  TextTable regimes({"errors of", "points", "median", "90 % below", "worst", "bias"});
  for (const Regime& regime : summary.regimes) {
    regimes.add({regime.name, std::to_string(regime.errors.points),
                 format_percent(regime.errors.median_abs), format_percent(regime.errors.p90_abs),
                 format_percent(regime.errors.max_abs), signed_percent(regime.bias)});
  }
  TextTable worst({"worst points", "pred.", "meas.", "error", "most of the prediction is"});
  for (const WorstPoint& entry : summary.worst) {
    worst.add({to_string(entry.item->problem) + ", " + short_plan(entry.point->plan),
               format_ns(entry.point->prediction.ns_per_input), format_ns(entry.point->measured()),
               signed_percent(entry.error),
               fmt::format("{} ({})", entry.term, format_percent(entry.term_share))});
  }
  return regimes.text() + "\n" + worst.text() + "\n";
}

}  // namespace presort::app
