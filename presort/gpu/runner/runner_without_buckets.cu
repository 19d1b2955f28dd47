#include "presort/gpu/runner/measure_run.h"
#include "presort/gpu/runner/runners.h"
#include "presort/gpu/runner/runs_without_buckets.cuh"
#include "presort/gpu/runner/segmented_run.cuh"
#include "presort/gpu/runner/with_value_type.h"

namespace presort::inline v0::gpu {
namespace {

template <class Offset, class Value>
GpuMeasurement measure_segments(const Problem& problem, const GpuPlan& plan,
                                const LabelSource& labels, int reps, bool check) {
  const SegmentedRun<Offset, Value> run(problem, labels);
  if (check) {
    run.check_input();
  }
  return measure_run(problem, plan, run, reps, check);
}

template <class Value>
GpuMeasurement measure_values(const Problem& problem, const GpuPlan& plan,
                              const LabelSource& labels, int reps, bool check) {
  switch (problem.operation) {
    case Operation::scan:
      return measure_run(problem, plan, ScanRun<Value>(problem), reps, check);
    case Operation::compact:
      return measure_run(problem, plan, CompactRun<Value>(problem, labels), reps, check);
    case Operation::reduceAxes:
      return measure_run(problem, plan, AxesRun<Value>(problem), reps, check);
    default:
      return problem.types.label == ScalarType::u64
                 ? measure_segments<unsigned long, Value>(problem, plan, labels, reps, check)
                 : measure_segments<uint32_t, Value>(problem, plan, labels, reps, check);
  }
}

}  // namespace

GpuMeasurement measure_without_buckets(const Problem& problem, const GpuPlan& plan,
                                       const LabelSource& labels, int reps, bool check) {
  return with_value_type(problem.types.value, [&]<class Value>(Value) {
    return measure_values<Value>(problem, plan, labels, reps, check);
  });
}

}  // namespace presort::gpu
