// The results of a validation as JSON.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"
#include "presort/core/machine/machine.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// Prediction errors as JSON: {points, median_abs_error, p90_abs_error, max_abs_error}
io::Json errors_json(const ErrorSummary& errors);

// Errors by regime as JSON: {KEY: [{points, …, regime, bias, median_spread}]}
io::Json groupings_json(const std::vector<Grouping>& all);

// A validation's summary as JSON: prediction{points, median_abs_error, p90_abs_error,
// max_abs_error, median_spread, p90_spread}, tuning{points, mean_regret, mean_regret_ci95[],
// p95_regret, max_regret, within_5_percent, right_decision, clear_problems, right_decision_of_clear
// (null when there are none), baselines[{name, plan{}, points, mean_regret, p95_regret,
// max_regret}]}, groups[{problem, predicted_crossover_m, measured_crossover_m, crossover_factor,
// crossovers[{page_size, predicted_m, measured_m, factor}], rows[]}], errors_by_regime[] (by plan),
// errors_by{plan[], buckets_fit_in[], labels[], types[], inputs[], operation[], threads[]},
// worst_points[], dropped[], skipped[], drift{}, complete, provenance{},
// points_beside_busy_siblings (predicted with a share of their cores), prediction_of_quiet_cores{}
// (as prediction, but with whole cores for all points), too_busy and machine_load{} (load_report.h;
// null for a replay), probe_warnings[].
io::Json summary_json(const Summary& summary, const DriftReport& drift, bool complete);

// The lines of result.jsonl, one for each measured point: problem, plan, machine with all its
// values, prediction, times of the runs, seed, version, host, compiler, date, and whether all
// points were finished. predicted_ns_per_input is the prediction for the cores that the runs had;
// both predictions follow (predicted_on_quiet_cores_ns_per_input,
// predicted_beside_siblings_ns_per_input or null), and which cores the runs had
// (beside_busy_siblings). machine_load{} is that of the whole validation, null for a replay.
std::string result_lines(const std::vector<ProblemPoints>& all, const Machine& machine,
                         bool complete,
                         const std::optional<probe::LoadJudgement>& load = std::nullopt);

}  // namespace presort::app
