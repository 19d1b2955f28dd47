// The times of quiet points at the speed of quiet cores. Pure functions.
#pragma once

#include <vector>

#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

// Divides the times of quiet points by the median drift correction (ns / raw_ns) of their runs.
//
// Drift corrections take every run to the speed of the median reference (score/drift.h). On a
// machine with neighbours that reference is of a busy core, and so are times of quiet runs that are
// corrected by it, while their predictions are of quiet cores. Points that ran beside siblings keep
// their times. Done twice, it changes nothing more. Measured:
// docs/results/notebook/draws-teams.md, "Quiet runs beside busy references"
// Requires: as many raw times as times in each point, all above 0
void take_to_quiet_cores(const std::vector<Point*>& points);

}  // namespace presort::app
