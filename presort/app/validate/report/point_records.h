// The points of a validation as records, a row for each measured point. Pure.
#pragma once

#include <vector>

#include "presort/app/printing/records.h"
#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

// Columns: the problem, plan, predicted_ns and its 80 % interval (predicted_low_ns, predicted_high_ns),
// measured_ns (median of the runs), relative_error, spread, runs, quiet_runs, in_grid, tuned, direct, dropped.
// Times are ns per input. Predictions are for the cores that the runs had. The last four are yes or no.
Records point_records(const std::vector<ProblemPoints>& all);

}  // namespace presort::app
