// Chooses the plan of an operation on a GPU: the least predicted time (plan_time.h) of all plans that
// fit (plan_list.h). Takes microseconds, waits for nothing and allocates nothing, so that a plan can
// be chosen at every call (choose_speed prints the time). No CUDA types.
//   const GpuPlan plan = gpu::choose_plan(gpu::current_gpu(), {.n = n, .m = m, .types = types});
#pragma once

#include "presort/core/machine/gpu.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

// Fewest inputs of a call that learns the kind of its labels from earlier calls
// (labels/learned_labels.cuh): 377 multireduces drawn on one H200, by plans for what a sample of
// their labels showed, and by safe plans; mean regret 4.8 and 5.5 % from 2^22 to 2^24 inputs, 3.6 and
// 17.0 % to 2^26, 1.8 and 16.4 % above (2026-11-27).
inline constexpr uint64_t kFewestInputsOfLearning = uint64_t{1} << 24;

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

// The plan for values of several parts that are summed by themselves (parts_timing.h).
// problem.types.value is the type of a part. Tables, atomics or a pre-sort, whichever is predicted
// to be the fastest for uniform labels; instead of atomics of many inputs, a pre-sort as
// choose_safe_plan. A pre-sort of fewer inputs than buckets, or of fewer than calls learn from, is
// to take at most half of the others' time. Where the labels are known, atomics take its place as
// in choose_plan_for_labels. Tables and atomics are not exchanged by what is known: four plans that
// this changed were slower, by 11, 46, 65 and 82 % (16 bytes, one H200, seeds 583, 585, 586).
// Requires: problem.operation is a multireduce; parts >= 1
// Errors: PlanError as choose_plan
GpuPlan choose_plan_of_parts(const Gpu& gpu, const Problem& problem, int parts, bool knows_labels);

}  // namespace presort::gpu
