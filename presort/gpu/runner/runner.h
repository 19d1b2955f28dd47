// Runs a problem with a plan on the current GPU and times it. No CUDA types: a build without CUDA
// has it too, and then says so.
#pragma once

#include <memory>

#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

// The plan that is chosen for a problem on the current device (plan/choose_plan.h), by a sample of
// its labels.
// Requires: labels are those of the problem
// Errors:   EnvironmentError when this build has no kernels or this machine no device; PlanError
//           when a GPU has no such operation
GpuPlan choose_plan(const Problem& problem, const LabelSource& labels);

// Makes `reps` timed runs after one to warm up, timed by device events: kernels alone, the arrays
// being in device memory. With `check` the first is compared with a plain loop of the host, and
// `checked` says whether all is equal; values are whole numbers, whose sums are exact in any order.
// Requires: labels are those of the problem
// Errors:   PlanError when the operation, the types or the plan are not for a GPU; EnvironmentError
//           when this build has no kernels, or this machine no device, or not enough memory on it
GpuMeasurement measure(const Problem& problem, const GpuPlan& plan,
                       const std::shared_ptr<const LabelSource>& labels, int reps, bool check);

}  // namespace presort::gpu
