// The ways in which several devices of one host can share a problem, each with its predicted time
// (scheme_time.h), and the choice among them. Inputs and buckets are shared evenly. No CUDA types.
#pragma once

#include <vector>

#include "presort/gpu/plan/devices/scheme_time.h"

namespace presort::inline v0::gpu {

struct SharedPlan {
  DeviceScheme scheme = DeviceScheme::tables;
  // Plan of each device for its inputs and all buckets; with the scheme `inputs` for an owner's
  // buckets
  GpuPlan plan;
  double ns = 0;  // predicted time of the operation
};

// Checks that several devices can share a problem. Errors: PlanError for another operation than
// multireduce, multireduceInOrder, histogram, scatter and gather, and for labels of 1 and 2 bytes
void check_shared_problem(const Problem& problem);

// True if a call on several devices takes a plan: of a multireduce and a histogram, for tables and
// rounds.
bool call_takes_plan(Operation operation, DeviceScheme scheme);

// True if the buckets [0, m), shared evenly, are whole parts of a plan's pre-sort on every device,
// so that rounds can be made. Requires: devices >= 1
bool rounds_fit_evenly(const GpuPlan& plan, uint64_t m, int devices);

// All ways that fit. Plans of a multireduce and a histogram are listed, simpler ones first; those
// of a scatter and a gather, and of the scheme `inputs`, are the ones that a call chooses.
//   problem: n counts the inputs of all devices
// Requires: devices >= 2; n >= 1; the link's bandwidth is above 0
// Errors:   PlanError as check_shared_problem, or where no plan fits
std::vector<SharedPlan> shared_plans(const Gpu& gpu, const DeviceLink& link, const Problem& problem,
                                     int devices);

// The fastest plan of a scheme, near a tie the simpler one; null where the scheme does not fit.
const SharedPlan* best_of_scheme(const std::vector<SharedPlan>& plans, DeviceScheme scheme);

// The fastest way; rounds only where they are clearly faster (kClearGain).
// Requires: plans are those of shared_plans
const SharedPlan& best_shared_plan(const std::vector<SharedPlan>& plans);

}  // namespace presort::gpu
