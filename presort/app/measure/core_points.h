// Times small kernels on this machine, to which its core costs are fitted.
#pragma once

#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/core/machine/core_costs.h"
#include "presort/io/plans/plan_grid_file.h"

namespace presort::inline v0::app {

// Times every problem of the grid with every plan that fits it, in rounds over all of them, each
// time for a slice of several runs between two looks at the core (probe/workloads/meter.h). Of the
// slices of a problem and plan the quiet ones count, or the least crowded if few are quiet. Slices
// are measured in cycles; measured_ns is their median at a clock of `clock_hz`.
// Errors: EnvironmentError when there is not enough memory; Stopped when interrupted(): a few
//         rounds are not enough for costs
std::vector<CalibrationPoint> time_core_points(const io::PlanGrid& grid, double clock_hz,
                                               Progress& progress);

}  // namespace presort::app
