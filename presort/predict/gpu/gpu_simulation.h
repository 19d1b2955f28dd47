// Simulates a plan on a GPU: the index functions of the CUDA kernels (presort/gpu/device/) make
// warps' accesses, and sim/gpu/ counts them and says how long each resource is busy.
//   A kernel's time is that of its busiest resource, and the launches. Two parts add up, as in
//   gpu/plan/plan_time.h: kernels, and the tiles of a partition, which wait for memory before they
//   are ranked.
//   A few thousand warps are simulated, after a warm-up that fills the L2, and scaled to n inputs.
//   No constant is fitted to the time of a plan.
// Left out: instructions other than accesses, but those of atomics of hot labels and of visits of
// parts (gpu/plan/times/row_instructions.h, part_visits.h); operations other than those of
// simulates_on_gpu.
#pragma once

#include <memory>

#include "presort/core/labels/labels.h"
#include "presort/core/machine/gpu_hardware.h"
#include "presort/gpu/plan/limits.h"
#include "presort/predict/gpu/gpu_prediction.h"

namespace presort::inline v0::predict {

// The limits of a device that plans must know, from the parts of the GPU.
gpu::DeviceLimits limits_of(const GpuHardware& hardware);

// True if an operation's plans can be simulated: multireduce, histogram, scatter, gather,
// partialSort.
bool simulates_on_gpu(Operation operation);

// Simulates a plan.
// Requires: labels are those of the problem
// Errors:   PlanError when an operation is not simulated, or the plan does not fit the problem and
//           the GPU
GpuPrediction simulate_gpu_plan(const GpuHardware& hardware, const Problem& problem,
                                const GpuPlan& plan,
                                const std::shared_ptr<const LabelSource>& labels);

}  // namespace presort::predict
