// Times and checks problems of one type of label.
#pragma once

#include "presort/gpu/runner/measure_run.h"
#include "presort/gpu/runner/typed_run.cuh"
#include "presort/gpu/runner/with_value_type.h"

namespace presort::inline v0::gpu {

template <class Label, class Value>
GpuMeasurement measure_typed(const Problem& problem, const GpuPlan& plan, const LabelSource& labels,
                             int reps, bool check) {
  const TypedRun<Label, Value> run(problem, plan, labels);
  if (check) {
    run.check_labels();
  }
  return measure_run(problem, plan, run, reps, check);
}

template <class Label>
GpuMeasurement measure_labels(const Problem& problem, const GpuPlan& plan,
                              const LabelSource& labels, int reps, bool check) {
  return with_value_type(problem.types.value, [&]<class Value>(Value) {
    return measure_typed<Label, Value>(problem, plan, labels, reps, check);
  });
}

}  // namespace presort::gpu
