#include "presort/gpu/plan/choose_plan.h"

#include <algorithm>
#include <limits>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/parts_timing.h"
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

// Share of the time of atomics that a pre-sort is to take at most where labels may spare atomics
// much: labels that repeat or lie together touch fewer buckets, which atomics gain by, and a
// pre-sort does not. Six draws of fewer inputs than buckets in which a pre-sort was to take more
// than half of the time of atomics: it took 0.6, 0.95, 1.5, 3.3, 5.5 and 7.1 times as much; three
// in which it was to take less: 0.50, 0.53, and of equal labels 5.1 times (one H100, seeds 503 to
// 511).
constexpr double kHalf = 0.5;

// How many times as fast as the safe plan another plan must be by prediction. 166 multireduces of
// 2^24 inputs and more, seeds 525 to 529 and 541 to 543, one H200: plans of another kind that were
// to be 1.1 to 1.5 times as fast as the safe one were slower at 7 of 11 problems, from 1.5 on at
// one of 12 (2026-11-27). Since words that misses hold up are counted, 1084 recorded multireduces
// with 1.2, 1.35 and 1.5: mean regret 1.7, 1.7, 1.8 %, a peer ahead by 25 % at 3, 3, 6 (2026-11-29).
constexpr double kSureGain = 1.35;

// True if atomics are a safer plan than others of fewer inputs than buckets: where they are the
// fastest for uniform labels, or not much slower than a pre-sort.
bool prefers_atomics(const Gpu& gpu, const Problem& spread, const LabelFacts& labels,
                     const TimedPlan& fastest) {
  return updates_buckets(spread.operation) && spread.n < spread.m &&
         (fastest.plan == kAtomics ||
          (fastest.plan.presort && fastest.ns > kHalf * plan_ns(gpu, spread, labels, kAtomics)));
}

// True if a pre-sort of many inputs loses less at worst than atomics do, by uniform or by skewed
// labels. Of these, atomics of frequent labels wait for each other; a pre-sort takes what it takes
// of uniform labels. Times are those of uniform labels.
bool is_safer(double presort_ns, double atomics_ns) {
  // Median time of plain atomics over that of uniform labels, 2^26 to 2^28 inputs into 2^17 to 2^23
  // buckets, u32: zipf:0.75 1.25, 1.34, 1.6, 1.9; R-MAT 2.1, 3.7; words 2.8, 3.1, 3.6 (one H100,
  // 2026-11-26).
  constexpr double kSkewed = 2.1;
  return presort_ns / atomics_ns < kSkewed * atomics_ns / presort_ns;
}

// True if a pre-sort is there for frequent labels in vain: where none is frequent.
bool guards_in_vain(const GpuPlan& safe, const LabelFacts& labels, uint64_t m) {
  return safe.presort && labels.hottest_share() <= 1 / static_cast<double>(m);
}

// Atomics, or the fastest pre-sort if that is safer. Tables do not come into question: f64,
// m = 2^17.4, took 0.0155 ns of uniform labels and 0.0261 of cells by them, 0.0132 and 0.0123 by
// atomics (one H100, 2026-11-26).
// Requires: `atomics` is their time for uniform labels
GpuPlan safe_of_skewed(const Gpu& gpu, const Problem& spread, const LabelFacts& labels,
                       const TimedPlan& atomics) {
  constexpr uint64_t kFewestInputs = uint64_t{1} << 24;  // fewer were not measured
  if (spread.operation != Operation::multireduce || spread.n < kFewestInputs) {
    return atomics.plan;
  }
  const TimedPlan other =
      fastest_of(gpu, spread, labels, [](const GpuPlan& plan) { return plan.presort.has_value(); });
  return is_safer(other.ns, atomics.ns) ? other.plan : atomics.plan;
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
  if (!updates_buckets(problem.operation)) {
    return choose_plan(gpu, problem);
  }
  const GpuPlan safe = choose_safe_plan(gpu, problem);
  const LabelFacts labels(problem);
  const TimedPlan best = fastest(gpu, problem, labels);
  const double least = guards_in_vain(safe, labels, problem.m) ? 1 + kTieOfPlans : kSureGain;
  return plan_ns(gpu, problem, labels, safe) > least * best.ns ? best.plan : safe;
}

GpuPlan choose_plan_of_parts(const Gpu& gpu, const Problem& problem, int parts, bool knows_labels) {
  check_gpu_operation(problem);
  Problem spread = problem;
  spread.distribution = {};
  const PartsTiming timing(gpu, spread, parts);
  TimedPlan plain;    // best plan without a pre-sort
  TimedPlan presort;  // best plan with one
  timing.for_each_plan([&](const GpuPlan& plan) {
    TimedPlan& best = plan.presort ? presort : plain;
    const double ns = timing.ns(plan, best.ns);
    if (ns * (1 + kTieOfPlans) < best.ns) {
      best = {plan, ns};
    }
  });
  const bool is_risky = problem.n < std::max(problem.m, kFewestInputsOfLearning);
  const bool presorts = is_risky                 ? presort.ns < kHalf * plain.ns
                        : plain.plan == kAtomics ? is_safer(presort.ns, plain.ns)
                                                 : presort.ns < plain.ns;
  if (!presorts) {
    return plain.plan;
  }
  if (knows_labels) {
    const PartsTiming known(gpu, problem, parts);
    const double least =
        guards_in_vain(presort.plan, LabelFacts(problem), problem.m) ? 1 + kTieOfPlans : kSureGain;
    return known.ns(presort.plan) > least * known.ns(kAtomics) ? kAtomics : presort.plan;
  }
  return presort.plan;
}

}  // namespace presort::gpu
