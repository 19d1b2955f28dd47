#include "presort/gpu/runner/labels_runner.cuh"
#include "presort/gpu/runner/runners.h"

namespace presort::inline v0::gpu {

GpuMeasurement measure_u64_labels(const Problem& problem, const GpuPlan& plan,
                                  const LabelSource& labels, int reps, bool check) {
  return measure_labels<unsigned long>(problem, plan, labels, reps, check);
}

}  // namespace presort::gpu
