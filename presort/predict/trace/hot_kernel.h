// Simulates a whole kernel on data that an earlier run left in the caches.
#pragma once

#include <array>

#include "presort/core/machine/core_costs.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::predict {

struct HotKernel {
  double ns_per_input = 0;
  // micro-operations per input, by their kind (MicroOp)
  std::array<double, kMicroOpKinds> micro_ops = {};
};

// Simulates the second of two runs over the same inputs; the first only fills the caches.
// Errors: PlanError for plans that stream_kernel refuses
HotKernel simulate_hot(const Machine& machine, const Problem& problem, const CpuPlan& plan);

// Share of the predicted time that the core alone takes: the time with all data in the first cache
// level and free streaming stores, divided by the time on the machine as it is. 1 where only the
// core limits.
double core_share(const Machine& machine, const Problem& problem, const CpuPlan& plan);

}  // namespace presort::predict
