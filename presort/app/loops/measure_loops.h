// Times memory loops on this machine.
#pragma once

#include <vector>

#include "presort/app/loops/loop_points.h"
#include "presort/app/printing/progress.h"
#include "presort/app/validate/measure.h"

namespace presort::inline v0::app {

// Measures memory loops: `reps` rounds over all loops of one page size, then of the other, each
// round in a new random order; up to half as many rounds more for loops that the core's neighbours
// disturbed. Each run fills the caches by itself (warm_up_items) before it is timed. Stops between
// runs when interrupted(), and leaves the other loops without times. `watch` sees every round.
// Errors: EnvironmentError when there is not enough memory
void measure_loops(std::vector<LoopPoint>& points, const MeasureOptions& options,
                   probe::LoadWatch& watch, Progress& progress);

}  // namespace presort::app
