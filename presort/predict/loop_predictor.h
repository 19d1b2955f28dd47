// Predicts the time of a bare memory loop on a machine: the loop's own phase (cpu/loops/), with
// tracing memory, through the simulator.
#pragma once

#include "presort/core/loop.h"
#include "presort/core/machine/machine.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict {

// Predicts the time per item of a bare memory loop. When the loop begins, the caches are full of
// unrelated lines, as on a real machine. Untimed items (warm_up_items) fill the caches with the
// loop's data. After that the loop is stationary, and is timed slice after slice until the 95 %
// interval of its time is as narrow as options.ci95_relative.
// Requires: streamed_items >= 1, as in core/loop.h
// Errors:   InputError for a loop that check_loop refuses, and a machine that contradicts itself or
//           has a block device
LoopPrediction predict_loop(const Machine& machine, const Loop& loop,
                            const SimulationOptions& options);

}  // namespace presort::predict
