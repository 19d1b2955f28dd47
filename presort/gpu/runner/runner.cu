#include "presort/gpu/runner/runner.h"

#include <string>

#include "presort/core/choice/label_sample.h"
#include "presort/gpu/host/current_gpu.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/labels/seen_distribution.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/runner/runners.h"

namespace presort::inline v0::gpu {

GpuPlan choose_plan(const Problem& problem, const LabelSource& labels) {
  const Gpu& gpu = current_gpu();
  if (has_one_gpu_plan(problem.operation)) {
    return choose_plan(gpu, problem);
  }
  const LabelSample sample =
      draw_sample(problem.n, problem.m,
                  [&](uint64_t start, std::span<uint64_t> out) { labels.generate(start, out); });
  Problem seen = problem;
  seen.distribution = seen_distribution(sample);
  return choose_plan_for_labels(gpu, seen);
}

GpuMeasurement measure(const Problem& problem, const GpuPlan& plan,
                       const std::shared_ptr<const LabelSource>& labels, int reps, bool check) {
  require_device();
  check_problem(problem);
  check_gpu_problem(problem, plan, current_device_limits());
  if (runs_without_buckets(problem.operation)) {
    return measure_without_buckets(problem, plan, *labels, reps, check);
  }
  switch (problem.types.label) {
    case ScalarType::u32:
      return measure_u32_labels(problem, plan, *labels, reps, check);
    case ScalarType::u64:
      return measure_u64_labels(problem, plan, *labels, reps, check);
    case ScalarType::u8:
    case ScalarType::u16:
      return measure_narrow_labels(problem, plan, *labels, reps, check);
    default:
      throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.label) +
                      "' for labels, accepted: u8, u16, u32, u64 with --device gpu");
  }
}

}  // namespace presort::gpu
