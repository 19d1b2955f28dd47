#include "presort/gpu/plan/choose_plan.h"

#include <limits>

#include "presort/core/error.h"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu {
namespace {

struct TimedPlan {
  GpuPlan plan;
  double ns = std::numeric_limits<double>::infinity();  // predicted time of a plan, ns an input
};

// Finds the fastest plan. A later plan is less simple and must win by more than kTieOfPlans.
TimedPlan fastest(const Gpu& gpu, const Problem& problem, const LabelFacts& labels) {
  TimedPlan best;
  for_each_gpu_plan(problem, limits_of(gpu), [&](const GpuPlan& plan) {
    const double ns = plan_ns(gpu, problem, labels, plan);
    if (ns * (1 + kTieOfPlans) < best.ns) {
      best = {plan, ns};
    }
  });
  if (best.ns == std::numeric_limits<double>::infinity()) {
    throw PlanError("no plan of " + gpu.name + " fits " + to_string(problem));
  }
  return best;
}

}  // namespace

GpuPlan choose_plan(const Gpu& gpu, const Problem& problem) {
  check_gpu_operation(problem);
  if (has_one_gpu_plan(problem.operation)) {
    return {.presort = {}, .strategy = GpuStrategy::globalSets};
  }
  if (scans_buckets(problem.operation)) {
    return scan_plan({problem.n, problem.m, size_bytes(problem.types.value)}, limits_of(gpu));
  }
  if (problem.operation == Operation::multireduceInOrder) {
    return ordered_plan({problem.n, problem.m, size_bytes(problem.types.value)});
  }
  return fastest(gpu, problem, LabelFacts(problem)).plan;
}

GpuPlan choose_safe_plan(const Gpu& gpu, const Problem& problem) {
  check_gpu_operation(problem);
  if (scans_buckets(problem.operation) || has_one_gpu_plan(problem.operation) ||
      problem.operation == Operation::multireduceInOrder) {
    return choose_plan(gpu, problem);
  }
  Problem spread = problem;
  spread.distribution.kind = DistributionKind::uniform;
  Problem equal = problem;
  equal.distribution.kind = DistributionKind::degenerate;
  const LabelFacts spread_labels(spread);
  const LabelFacts equal_labels(equal);
  const TimedPlan of_spread = fastest(gpu, spread, spread_labels);
  const TimedPlan of_equal = fastest(gpu, equal, equal_labels);
  const double loss_of_spread = plan_ns(gpu, equal, equal_labels, of_spread.plan) / of_equal.ns;
  const double loss_of_equal = plan_ns(gpu, spread, spread_labels, of_equal.plan) / of_spread.ns;
  return loss_of_spread <= loss_of_equal ? of_spread.plan : of_equal.plan;
}

}  // namespace presort::gpu
