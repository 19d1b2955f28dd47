#include "presort/gpu/runner/runner.h"

#include <string>

#include "presort/core/choice/label_class.h"
#include "presort/core/choice/label_sample.h"
#include "presort/core/choice/label_traits.h"
#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/host/event_pair.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/runner/segmented_run.cuh"
#include "presort/gpu/runner/typed_run.cuh"

namespace presort::inline v0::gpu {
namespace {

// Times the runs of a problem: a TypedRun or a SegmentedRun.
template <class Run>
GpuMeasurement measure_run(const Problem& problem, const GpuPlan& plan, const Run& run, int reps,
                           bool check) {
  const EventPair events;
  GpuMeasurement measurement;
  measurement.problem = problem;
  measurement.plan = plan;
  events.ns_of([&] { run.run(nullptr); });
  measurement.checked = check && run.is_right();
  for (int rep = 0; rep < reps; ++rep) {
    measurement.samples_ns_per_input.push_back(events.ns_of([&] { run.run(nullptr); }) /
                                               static_cast<double>(problem.n));
  }
  return measurement;
}

template <class Label, class Value>
GpuMeasurement measure_typed(const Problem& problem, const GpuPlan& plan, const LabelSource& labels,
                             int reps, bool check) {
  if (is_segmented(problem.operation)) {
    if constexpr (sizeof(Label) >= sizeof(uint32_t)) {
      const SegmentedRun<Label, Value> run(problem, labels);
      if (check) {
        run.check_input();
      }
      return measure_run(problem, plan, run, reps, check);
    }
  }
  const TypedRun<Label, Value> run(problem, plan, labels);
  if (check) {
    run.check_labels();
  }
  return measure_run(problem, plan, run, reps, check);
}

template <class Label>
GpuMeasurement measure_labels(const Problem& problem, const GpuPlan& plan,
                              const LabelSource& labels, int reps, bool check) {
  switch (problem.types.value) {
    case ScalarType::u32:
    case ScalarType::i32:  // signed and unsigned sums have the same bits
      return measure_typed<Label, uint32_t>(problem, plan, labels, reps, check);
    case ScalarType::u64:
    case ScalarType::i64:
      return measure_typed<Label, unsigned long>(problem, plan, labels, reps, check);
    case ScalarType::f32:
      return measure_typed<Label, float>(problem, plan, labels, reps, check);
    case ScalarType::f64:
      return measure_typed<Label, double>(problem, plan, labels, reps, check);
    default:
      throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.value) +
                      "', accepted: values of 4 or 8 bytes");
  }
}

// Runs a histogram of labels of one or two bytes.
template <class Label>
GpuMeasurement measure_narrow_labels(const Problem& problem, const GpuPlan& plan,
                                     const LabelSource& labels, int reps, bool check) {
  return problem.types.value == ScalarType::u32
             ? measure_typed<Label, uint32_t>(problem, plan, labels, reps, check)
             : measure_typed<Label, unsigned long>(problem, plan, labels, reps, check);
}

}  // namespace

GpuPlan choose_plan(const Problem& problem, const LabelSource& labels) {
  const Gpu& gpu = current_gpu();
  if (is_segmented(problem.operation)) {
    return choose_plan(gpu, problem);  // an operation on segments has only one plan
  }
  const LabelSample sample =
      draw_sample(problem.n, problem.m,
                  [&](uint64_t start, std::span<uint64_t> out) { labels.generate(start, out); });
  Problem seen = problem;
  seen.distribution = nearest_distribution(traits_of(sample));
  return choose_plan(gpu, seen);
}

GpuMeasurement measure(const Problem& problem, const GpuPlan& plan,
                       const std::shared_ptr<const LabelSource>& labels, int reps, bool check) {
  require_device();
  check_problem(problem);
  check_gpu_problem(problem, plan, current_device_limits());
  switch (problem.types.label) {
    case ScalarType::u32:
      return measure_labels<uint32_t>(problem, plan, *labels, reps, check);
    case ScalarType::u64:
      return measure_labels<unsigned long>(problem, plan, *labels, reps, check);
    case ScalarType::u8:
      return measure_narrow_labels<uint8_t>(problem, plan, *labels, reps, check);
    case ScalarType::u16:
      return measure_narrow_labels<uint16_t>(problem, plan, *labels, reps, check);
    default:
      throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.label) +
                      "' for labels, accepted: u8, u16, u32, u64 with --device gpu");
  }
}

}  // namespace presort::gpu
