// A validation as JSON and as text.
#pragma once

#include <string>

#include "app/validate/summary.h"
#include "core/machine.h"
#include "io/result_json.h"

namespace presort::app {

// prediction{points, median_abs_error, p90_abs_error, max_abs_error}, tuning{points, mean_regret,
// mean_regret_ci95[], p95_regret, max_regret, within_5_percent, right_decision}, groups[{problem,
// predicted_crossover_m, measured_crossover_m, rows[]}], dropped[], drift{}, complete,
// provenance{}.
io::Json summary_json(const Summary& summary, const DriftReport& drift, bool complete);

// One line for each point measured: problem, plan, machine with all its values, prediction,
// samples, seed, version, host, compiler, date.
std::string result_lines(const std::vector<ProblemPoints>& all, const Machine& machine);

// About ten lines for a person.
std::string summary_text(const Summary& summary, const Machine& machine, bool complete);

// A table over m for each group.
std::string rows_text(const Summary& summary);

// Errors by kind of plan and page size, and the worst points.
std::string regimes_text(const Summary& summary);

}  // namespace presort::app
