#include "presort/gpu/runner/labels_runner.cuh"
#include "presort/gpu/runner/runners.h"

namespace presort::inline v0::gpu {

GpuMeasurement measure_u32_labels(const Problem& problem, const GpuPlan& plan,
                                  const LabelSource& labels, int reps, bool check) {
  return measure_labels<uint32_t>(problem, plan, labels, reps, check);
}

}  // namespace presort::gpu
