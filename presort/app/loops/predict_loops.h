// Predictions of memory loops.
#pragma once

#include <vector>

#include "presort/app/loops/loop_points.h"
#include "presort/app/printing/progress.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// The machine for predictions of loops: without core costs, which are fitted to the
// micro-operations of kernels.
Machine without_core_costs(Machine machine);

// Predicts loops on all cores; when interrupted, points are left without a prediction.
void predict_loops(std::vector<LoopPoint>& points, const Machine& machine, Progress& progress);

}  // namespace presort::app
