// Times small kernels on this machine, for its core costs.
#pragma once

#include <vector>

#include "presort/app/printing/progress.h"
#include "presort/core/machine/core_costs.h"
#include "presort/io/plans/plan_grid_file.h"

namespace presort::inline v0::app {

// Times every problem of the grid with every plan that fits it, in rounds over all of them, each
// time for a slice of several runs between two looks at the core (probe/workloads/meter.h). Of a
// point's slices the quiet ones count, or the least crowded if few are quiet. measured_ns is their
// median with the core at `clock_hz`: slices are measured in its cycles.
// Errors: EnvironmentError when there is not enough memory; Stopped when interrupted(): a few
//         rounds are not enough for costs
std::vector<CalibrationPoint> time_core_points(const io::PlanGrid& grid, double clock_hz,
                                               Progress& progress);

}  // namespace presort::app
