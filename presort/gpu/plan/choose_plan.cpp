#include "presort/gpu/plan/choose_plan.h"

#include <limits>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu {
namespace {

constexpr GpuPlan kAtomics = {.presort = {}, .strategy = GpuStrategy::globalSets};

struct TimedPlan {
  GpuPlan plan;
  double ns = std::numeric_limits<double>::infinity();  // predicted time of a plan, ns an input
};

// Finds the fastest plan of those that `accepts` returns true for; without any, its time is
// infinite. A later plan is less simple and must win by more than kTieOfPlans.
template <class Accepts>
TimedPlan fastest_of(const Gpu& gpu, const Problem& problem, const LabelFacts& labels,
                     const Accepts& accepts) {
  TimedPlan best;
  for_each_gpu_plan(problem, limits_of(gpu), [&](const GpuPlan& plan) {
    if (!accepts(plan)) {
      return;
    }
    const double ns = plan_ns(gpu, problem, labels, plan, best.ns);
    if (ns * (1 + kTieOfPlans) < best.ns) {
      best = {plan, ns};
    }
  });
  return best;
}

TimedPlan fastest(const Gpu& gpu, const Problem& problem, const LabelFacts& labels) {
  const TimedPlan best = fastest_of(gpu, problem, labels, [](const GpuPlan&) { return true; });
  if (best.ns == std::numeric_limits<double>::infinity()) {
    throw PlanError("no plan of " + gpu.name + " fits " + to_string(problem));
  }
  return best;
}

bool updates_buckets(Operation operation) {
  return operation == Operation::multireduce || operation == Operation::histogram;
}

// True if atomics are a safer plan than others of fewer inputs than buckets: where they are the
// fastest for uniform labels, or not much slower than a pre-sort. Labels that repeat or lie together
// touch fewer buckets, which atomics gain by, and a pre-sort does not. Six draws in which a pre-sort
// was to take more than half of the time of atomics: it took 0.6, 0.95, 1.5, 3.3, 5.5 and 7.1 times
// as much; three in which it was to take less: 0.50, 0.53, and of equal labels 5.1 times (one H100,
// seeds 503 to 511).
bool prefers_atomics(const Gpu& gpu, const Problem& spread, const LabelFacts& labels,
                     const TimedPlan& fastest) {
  constexpr double kHalf = 0.5;
  return updates_buckets(spread.operation) && spread.n < spread.m &&
         (fastest.plan == kAtomics ||
          (fastest.plan.presort && fastest.ns > kHalf * plan_ns(gpu, spread, labels, kAtomics)));
}

// Atomics, or the fastest pre-sort for uniform labels if that loses less at worst, by uniform or by
// skewed labels. Of these, atomics of frequent labels wait for each other; a pre-sort takes what it
// takes of uniform labels. Tables do not come into question: f64, m = 2^17.4, took 0.0155 ns of
// uniform labels and 0.0261 of cells by them, 0.0132 and 0.0123 by atomics. Times of plain atomics
// over those of uniform labels, 2^26 to 2^28 inputs into 2^17 to 2^23 buckets, u32: zipf:0.75 1.25,
// 1.34, 1.6, 1.9; R-MAT 2.1, 3.7; words 2.8, 3.1, 3.6 (one H100, 2026-11-26).
// Requires: `atomics` is their time for uniform labels
GpuPlan safe_of_skewed(const Gpu& gpu, const Problem& spread, const LabelFacts& labels,
                       const TimedPlan& atomics) {
  constexpr uint64_t kFewestInputs = uint64_t{1} << 24;  // fewer were not measured
  constexpr double kSkewed = 2.1;                        // median of the above
  if (spread.operation != Operation::multireduce || spread.n < kFewestInputs) {
    return atomics.plan;
  }
  const TimedPlan other =
      fastest_of(gpu, spread, labels, [](const GpuPlan& plan) { return plan.presort.has_value(); });
  const double loss_of_atomics = kSkewed * atomics.ns / other.ns;
  const double loss_of_other = other.ns / atomics.ns;
  return loss_of_other < loss_of_atomics ? other.plan : atomics.plan;
}

}  // namespace

GpuPlan choose_plan(const Gpu& gpu, const Problem& problem) {
  check_gpu_operation(problem);
  if (has_one_gpu_plan(problem.operation)) {
    return kAtomics;
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
  // Many inputs: one label has nearly all of them. Where it has all, blocks join them at no cost, and
  // atomics would be as safe as tables; a few other labels between them cost what this takes.
  constexpr uint64_t kManyInputs = uint64_t{1} << 20;
  Problem equal = problem;
  equal.distribution.kind = DistributionKind::degenerate;
  if (problem.n > kManyInputs) {
    equal.distribution.kind = DistributionKind::zipf;
    equal.distribution.parameter = 4;
  }
  const LabelFacts spread_labels(spread);
  const LabelFacts equal_labels(equal);
  const TimedPlan of_spread = fastest(gpu, spread, spread_labels);
  if (prefers_atomics(gpu, spread, spread_labels, of_spread)) {
    return kAtomics;
  }
  const TimedPlan of_equal = fastest(gpu, equal, equal_labels);
  const double loss_of_spread = plan_ns(gpu, equal, equal_labels, of_spread.plan) / of_equal.ns;
  const double loss_of_equal = plan_ns(gpu, spread, spread_labels, of_equal.plan) / of_spread.ns;
  const TimedPlan safe = loss_of_spread <= loss_of_equal
                             ? of_spread
                             : TimedPlan{of_equal.plan, loss_of_equal * of_spread.ns};
  return safe.plan == kAtomics ? safe_of_skewed(gpu, spread, spread_labels, safe) : safe.plan;
}

GpuPlan choose_plan_for_labels(const Gpu& gpu, const Problem& problem) {
  // How many times as fast another plan must be by prediction. 166 multireduces of 2^24 inputs and
  // more, seeds 525 to 529 and 541 to 543, one H200: plans of another kind that were to be 1.1 to 1.5
  // times as fast as the safe one were slower at 7 of 11 problems, from 1.5 on at one of 12
  // (2026-11-27).
  constexpr double kSureGain = 1.5;
  if (!updates_buckets(problem.operation)) {
    return choose_plan(gpu, problem);
  }
  const GpuPlan safe = choose_safe_plan(gpu, problem);
  const LabelFacts labels(problem);
  const TimedPlan best = fastest(gpu, problem, labels);
  // A pre-sort that is there for frequent labels is not needed where none is.
  const bool guards_in_vain =
      safe.presort && labels.hottest_share() <= 1 / static_cast<double>(problem.m);
  const double least = guards_in_vain ? 1 + kTieOfPlans : kSureGain;
  return plan_ns(gpu, problem, labels, safe) > least * best.ns ? best.plan : safe;
}

GpuPlan choose_plan_of_parts(const Gpu& gpu, const Problem& problem, int parts) {
  check_gpu_operation(problem);
  // Tables look at each label once, whatever the parts; an atomic takes one of them. The kind of
  // labels does not count: four plans that it changed were slower, by 11, 46, 65 and 82 % (16 bytes,
  // one H200, seeds 583, 585, 586), as neither tables nor atomics of parts follow it as predicted.
  Problem tables = problem;
  tables.distribution = {};
  tables.m = saturating_multiply(problem.m, static_cast<uint64_t>(parts));
  Problem atomics = tables;
  atomics.n = saturating_multiply(problem.n, static_cast<uint64_t>(parts));
  const TimedPlan best = fastest_of(gpu, tables, LabelFacts(tables), [](const GpuPlan& plan) {
    return !plan.presort && plan.strategy == GpuStrategy::sharedSets;
  });
  const double ns = parts * plan_ns(gpu, atomics, LabelFacts(atomics), kAtomics);
  return best.ns < ns ? best.plan : kAtomics;
}

}  // namespace presort::gpu
