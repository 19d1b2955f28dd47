// The runner of each type of label, and of operations without buckets: sources of their own, as
// each takes long to compile. runner.cu chooses among them. No CUDA types.
#pragma once

#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

// Each times and checks a problem as measure (runner.h) does.
// Requires: check_problem and check_gpu_problem pass; labels of the type
// Errors:   PlanError for values that have no 4 or 8 bytes; LabelError and OffsetError of a check;
//           EnvironmentError without enough memory
GpuMeasurement measure_u32_labels(const Problem& problem, const GpuPlan& plan,
                                  const LabelSource& labels, int reps, bool check);
GpuMeasurement measure_u64_labels(const Problem& problem, const GpuPlan& plan,
                                  const LabelSource& labels, int reps, bool check);
// measure_narrow_labels: a histogram of labels of one or two bytes
GpuMeasurement measure_narrow_labels(const Problem& problem, const GpuPlan& plan,
                                     const LabelSource& labels, int reps, bool check);

// True if measure_without_buckets runs an operation: on segments, scan, compact, reduceAxes.
constexpr bool runs_without_buckets(Operation operation) {
  return is_segmented(operation) || operation == Operation::compact ||
         operation == Operation::reduceAxes;
}
GpuMeasurement measure_without_buckets(const Problem& problem, const GpuPlan& plan,
                                       const LabelSource& labels, int reps, bool check);

}  // namespace presort::gpu
