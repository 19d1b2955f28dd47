// Chooses the plan of an operation on a GPU: the least predicted time (plan_time.h) of all plans that
// fit (plan_list.h). Takes microseconds, waits for nothing and allocates nothing, so that a plan can
// be chosen at every call (choose_speed prints the time). No CUDA types.
//   const GpuPlan plan = gpu::choose_plan(gpu::current_gpu(), {.n = n, .m = m, .types = types});
#pragma once

#include "presort/core/machine/gpu.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

// The plan with the least predicted time for labels that are distributed as the problem says, or a
// simpler plan whose time is within kTieOfPlans of the least.
// Errors: PlanError when a GPU has no such operation, or no plan fits
GpuPlan choose_plan(const Gpu& gpu, const Problem& problem);

// The plan for unknown labels. Of the best plan for uniform labels and the best plan for all-equal
// labels, the one that is slower by the smaller factor on the other kind. Instead of atomics of
// many inputs, a pre-sort that is slower for uniform labels by a smaller factor than atomics are
// for skewed ones. Fewer inputs than buckets are
// pre-sorted only where that takes at most half of the time of atomics, by prediction.
// Errors: PlanError as choose_plan
GpuPlan choose_safe_plan(const Gpu& gpu, const Problem& problem);

// The plan for labels that are distributed as the problem says, as far as a sample or the caller can
// tell. Of a multireduce and a histogram, the plan for unknown labels, unless another one is predicted
// to be clearly faster for these; of other operations, that of choose_plan.
// Errors: PlanError as choose_plan
GpuPlan choose_plan_for_labels(const Gpu& gpu, const Problem& problem);

// The plan for values of several parts that are too large for a pre-sort in any order: tables, or
// atomics for each part. problem.types.value is the type of a part. It follows from the size alone,
// whatever the distribution of the labels.
// Requires: problem.operation is a multireduce; parts >= 1
// Errors: PlanError as choose_plan
GpuPlan choose_plan_of_parts(const Gpu& gpu, const Problem& problem, int parts);

}  // namespace presort::gpu
