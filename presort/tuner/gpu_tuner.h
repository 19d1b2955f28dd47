// Chooses plans for a GPU: all legal plans are predicted in closed form (gpu/plan/plan_time.h). Where the
// second is near the first, both are simulated, too.
#pragma once

#include <memory>
#include <vector>

#include "presort/core/base/stop.h"
#include "presort/core/labels/labels.h"
#include "presort/core/machine/machine.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/prediction.h"
#include "presort/core/problem.h"

namespace presort::inline v0::tuner {

// Relative error of the GPU's closed form, the median over the plans of a measured grid that take
// at most twice the best time (docs/results/gpu-kernels.md). A pre-sort that wins or loses by less
// does not matter.
inline constexpr double kGpuModelError = 0.15;

// Time of a second plan over that of the first up to which both are simulated. On drawn plans the
// mean of both ways, geometric, chose better than either way alone (docs/results/gpu-simulated.md).
inline constexpr double kGpuNearPlans = 1.2;

struct GpuPrediction {
  GpuPlan plan;
  double ns_per_input = 0;  // geometric mean of both times where the plan was simulated
  bool is_simulated = false;
  DeviceScheme scheme = DeviceScheme::tables;  // of several devices
  TimeStack stack_ns;  // time by the resource that limits each phase: "shared atomics", "memory", …
};

struct GpuChoice {
  GpuTunedEntry entry;
  // Predictions of the plans, one for each that was predicted
  std::vector<GpuPrediction> predictions;
};

// Chooses a plan; near a tie the simpler plan, which comes first in the list.
//   labels: those of the problem, for near plans that are simulated; null: by closed form alone, as for a
//           machine without the section gpuHardware and for operations without a simulation
// Errors: InputError when the machine has no section gpu, or the arrays are larger than the GPU's
//         memory; PlanError for an operation that a GPU does not have, or that no plan fits; Stopped
GpuChoice choose_gpu_plan(const Machine& machine, const Problem& problem,
                          const std::shared_ptr<const LabelSource>& labels = nullptr,
                          StopToken stop = {});

}  // namespace presort::tuner
