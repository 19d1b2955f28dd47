// Chooses how several GPUs of one host share a problem: the scheme and the plan of each device, by
// predicted times (gpu/plan/devices/shared_plans.h) over the link of the machine file.
#pragma once

#include "presort/gpu/plan/devices/shared_plans.h"
#include "presort/tuner/gpu_tuner.h"

namespace presort::inline v0::tuner {

// The link between the GPUs of a machine.
// Errors: InputError when it has no section gpu, or no link in it
gpu::DeviceLink require_link(const Machine& machine);

// All ways to share a problem.
//   problem: n counts the inputs of all devices
// Requires: devices >= 2
// Errors:   InputError when the machine has no section gpu or no link, or a device's arrays are
//           larger than its memory; PlanError as shared_plans
std::vector<gpu::SharedPlan> predict_shared_plans(const Machine& machine, const Problem& problem,
                                                  int devices);

// The fastest way, as the entry of a tuned file. Its runner-up is the best way of another scheme,
// or the chosen one again where no other scheme fits; so is its plan without a pre-sort where all
// have one.
// Requires, Errors: as predict_shared_plans
GpuChoice choose_shared_gpu_plan(const Machine& machine, const Problem& problem, int devices);

}  // namespace presort::tuner
