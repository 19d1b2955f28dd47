// Lists the GPU plans for a problem. No CUDA types.
#pragma once

#include <vector>

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// Errors: PlanError for an operation that a GPU does not have (yet), and for labels of one or two
//         bytes in any operation but a histogram, which has kernels for them (narrow_labels.h)
void check_gpu_operation(const Problem& problem);

// Whether an operation scans the inputs of each bucket.
constexpr bool scans_buckets(Operation operation) {
  return operation == Operation::multiscan || operation == Operation::multitag;
}

// The bytes of a bucket in the tables of an operation's plans. A scatter's are those of an index,
// as it looks for the last index of each label first.
size_t table_entry_bytes(const Problem& problem);

// Errors: PlanError when a GPU has no such operation, or the plan does not fit
void check_gpu_problem(const Problem& problem, const GpuPlan& plan, const DeviceLimits& device);
bool runs_on(const Problem& problem, const GpuPlan& plan, const DeviceLimits& device);

// The plans that fit: those without a pre-sort first, simpler ones before others. A gather has only
// one plan, whose keys mean nothing, and so has an operation on segments.
// Errors: PlanError when a GPU has no such operation, or it is a partialSort, whose plan is by rule
std::vector<GpuPlan> gpu_plans(const Problem& problem, const DeviceLimits& device);

}  // namespace presort::gpu
