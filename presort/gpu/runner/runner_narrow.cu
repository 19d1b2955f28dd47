#include "presort/gpu/runner/labels_runner.cuh"
#include "presort/gpu/runner/runners.h"

namespace presort::inline v0::gpu {
namespace {

template <class Label>
GpuMeasurement measure_counts(const Problem& problem, const GpuPlan& plan,
                              const LabelSource& labels, int reps, bool check) {
  return problem.types.value == ScalarType::u32
             ? measure_typed<Label, uint32_t>(problem, plan, labels, reps, check)
             : measure_typed<Label, unsigned long>(problem, plan, labels, reps, check);
}

}  // namespace

GpuMeasurement measure_narrow_labels(const Problem& problem, const GpuPlan& plan,
                                     const LabelSource& labels, int reps, bool check) {
  return problem.types.label == ScalarType::u8
             ? measure_counts<uint8_t>(problem, plan, labels, reps, check)
             : measure_counts<uint16_t>(problem, plan, labels, reps, check);
}

}  // namespace presort::gpu
