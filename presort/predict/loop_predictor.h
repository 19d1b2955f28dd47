// Predicts what a bare memory loop takes on a machine: the loop's own phase (cpu/loops/), with
// tracing memory, through the simulator.
#pragma once

#include "presort/core/loop.h"
#include "presort/core/machine/machine.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict {

// As on a real machine, caches are full of what nobody wants when the loop begins; it fills them by
// itself (warm_up_items) and, being stationary, is timed from there on: slice after slice, until
// the 95 % interval is as narrow as options.ci95_relative.
// Requires: streamed_items >= 1, a number as in core/loop.h
// Errors:   InputError for a loop that check_loop refuses, and a machine that contradicts itself or
//           has a block device
LoopPrediction predict_loop(const Machine& machine, const Loop& loop,
                            const SimulationOptions& options);

}  // namespace presort::predict
