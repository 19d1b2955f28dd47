// Runs a problem on several GPUs of this host and times it. No CUDA types: a build without CUDA has
// it too, and then says so.
#pragma once

#include <memory>
#include <optional>

#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/device_scheme.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

// How devices 0 to devices - 1 are to share a problem. Without a plan: both scheme and plan by
// predicted times of the current GPU (plan/devices/shared_plans.h).
struct SharedRequest {
  int devices = 2;
  std::optional<DeviceScheme> scheme = {};  // none: the one that takes the plan least time
  std::optional<GpuPlan> plan = {};         // plan of each device, as SharedPlan (shared_plans.h)
};

struct SharedMeasurement {
  GpuMeasurement run;  // times per input of all devices; the plan as SharedPlan (shared_plans.h)
  DeviceScheme scheme = DeviceScheme::tables;
};

// Makes `reps` timed runs after one to warm up: from the first kernel on device 0 to the last one on
// any device, launches and waits for the host included. With `check` the first is compared with a
// plain loop of the host.
//   problem: n counts the inputs of all devices, which have even shares of inputs and buckets
// Requires: labels are those of the problem; reps >= 1; devices >= 2
// Errors:   PlanError for an operation, types or a plan that several devices do not have;
//           EnvironmentError when this build has no kernels, or this host not as many devices that
//           reach each other's memory, or not enough memory on one
SharedMeasurement measure_shared(const Problem& problem, const SharedRequest& request,
                                 const std::shared_ptr<const LabelSource>& labels, int reps,
                                 bool check);

}  // namespace presort::gpu
