#include "presort/app/validate/draw/draw_problem.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "presort/core/error.h"
#include "presort/cpu/memory/isa.h"

namespace presort::inline v0::app {

namespace {

constexpr int kLeastInputBits = 16;
constexpr int kMostInputBits = 27;
constexpr int kLeastBucketBits = 4;
constexpr int kMostBucketBits = 28;
constexpr double kPowersOfTwo = 0.25;  // share of drawn sizes that are powers of two
constexpr int kAttempts = 64;          // most random plans that are tried until one is legal

uint64_t draw_size(Dice& dice, int low, int high) {
  return dice.chance(kPowersOfTwo)
             ? uint64_t{1} << (static_cast<uint64_t>(low) +
                               dice.below(static_cast<uint64_t>(high - low + 1)))
             : dice.size(low, high);
}

// A number rounded to three decimals, so that its text reads back as the same number.
double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

Distribution draw_rmat(Dice& dice) {
  const double a = rounded(dice.between(0.25, 0.6));
  const double b = rounded(dice.between(0.05, (1 - a) / 2));
  return {DistributionKind::rmat, a, "", {b, rounded(dice.between(0.05, (1 - a) / 2))}};
}

Distribution draw_distribution(Dice& dice) {
  constexpr DistributionKind kKinds[] = {
      DistributionKind::uniform,     DistributionKind::zipf,       DistributionKind::zipfContiguous,
      DistributionKind::clustered,   DistributionKind::sequential, DistributionKind::sorted,
      DistributionKind::permutation, DistributionKind::degenerate, DistributionKind::rmat,
      DistributionKind::words,       DistributionKind::cells,      DistributionKind::sessions,
      DistributionKind::strays};
  const DistributionKind kind = dice.pick(kKinds);
  switch (kind) {
    case DistributionKind::zipf:
    case DistributionKind::zipfContiguous:
      return {kind, rounded(dice.between(0.3, 1.8)), ""};
    case DistributionKind::clustered:
      return {kind, static_cast<double>(dice.size(0, 10)), ""};
    case DistributionKind::rmat:
      return draw_rmat(dice);
    case DistributionKind::words:
      return {kind, rounded(dice.between(0.8, 1.6)), "", {rounded(dice.between(0, 10))}};
    case DistributionKind::cells:
      return {kind, static_cast<double>(dice.below(5)), ""};
    case DistributionKind::sessions:
      return {kind,
              static_cast<double>(dice.size(0, 6)),
              "",
              {rounded(std::exp2(dice.between(-9, 0)))}};
    case DistributionKind::strays:
      return {kind, rounded(dice.between(0, 0.5)), ""};
    default:
      return {kind, 0, ""};
  }
}

Types draw_types(Operation operation, Dice& dice) {
  constexpr ScalarType kLabels[] = {ScalarType::u32, ScalarType::u64};
  constexpr ScalarType kValues[] = {ScalarType::u32, ScalarType::u64, ScalarType::i32,
                                    ScalarType::i64, ScalarType::f32, ScalarType::f64};
  constexpr ScalarType kCounts[] = {ScalarType::u32, ScalarType::u64};
  Types types;
  types.label = dice.pick(kLabels);
  types.value = counts_labels(operation) ? dice.pick(kCounts) : dice.pick(kValues);
  return types;
}

bool legal(const CpuPlan& plan, const Problem& problem) {
  try {
    check_plan(plan, problem);
    return true;
  } catch (const PlanError&) {
    return false;
  }
}

Isa draw_isa(Dice& dice) {
  constexpr Isa kAll[] = {Isa::generic, Isa::avx2, Isa::avx512};
  const Isa isa = dice.pick(kAll);
  return cpu::has_isa(isa) ? isa : Isa::generic;
}

// A random pre-sort plan, legal or not.
CpuPlan any_presort(const Problem& problem, const Resources& resources, Dice& dice) {
  constexpr uint64_t kBuffers[] = {64, 128, 256, 512, 1024};
  constexpr int kDistances[] = {0, 0, 0, 8, 16, 64};
  constexpr int kMostBits = 20;
  const int bits = label_bits(problem.m);
  CpuPlan plan{.presort = Presort{}, .base = {}, .resources = resources};
  Presort& presort = *plan.presort;
  presort.sort_bits =
      problem.operation == Operation::partialSort
          ? bits
          : 1 + static_cast<int>(dice.below(static_cast<uint64_t>(std::clamp(bits, 1, kMostBits))));
  const int least = std::max(1, (presort.sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass);
  presort.passes = least + static_cast<int>(dice.below(2));
  if (dice.chance(0.1)) {
    plan.base.strategy = CpuStrategy::plainRadix;
    return plan;
  }
  presort.buffer_bytes = dice.pick(kBuffers);
  presort.layout = dice.chance(0.7) ? Layout::pairs : Layout::separate;
  presort.streaming = dice.chance(0.7);
  presort.chunk_bytes = dice.chance(0.3) ? uint64_t{1} << (14 + dice.below(7)) : 0;
  plan.base.prefetch_distance = dice.pick(kDistances);
  plan.resources.isa = draw_isa(dice);
  return plan;
}

// A random plan without a pre-sort, legal or not.
CpuPlan any_loop(const Resources& resources, Dice& dice) {
  CpuPlan plan{.presort = {}, .base = {}, .resources = resources};
  switch (dice.below(5)) {
    case 0:
      plan.base.n_sets = 4;
      break;
    case 1:
      plan.base.strategy = CpuStrategy::privateTables;
      break;
    case 2:
      plan.base.range_passes = 2 + static_cast<int>(dice.below(7));
      plan.base.input_distance = dice.chance(0.5) ? 512 : 0;
      break;
    case 3:
      plan.base.input_distance = static_cast<int>(dice.size(4, 12));
      break;
    default:
      plan.base.prefetch_distance = static_cast<int>(dice.size(0, 9));
      break;
  }
  return plan;
}

void add_if_new(std::vector<CpuPlan>& plans, const CpuPlan& plan) {
  if (std::find(plans.begin(), plans.end(), plan) == plans.end()) {
    plans.push_back(plan);
  }
}

// Adds the first of several randomly drawn plans that is legal and new, if there is one.
template <class Any>
void add_drawn(std::vector<CpuPlan>& plans, const Problem& problem, const Any& any) {
  const size_t before = plans.size();
  for (int attempt = 0; attempt < kAttempts && plans.size() == before; ++attempt) {
    const CpuPlan plan = any();
    if (legal(plan, problem)) {
      add_if_new(plans, plan);
    }
  }
}

}  // namespace

Problem draw_problem(Dice& dice) {
  // All operations that are predicted for a CPU but scan, which is a segmentedScan of one segment
  constexpr Operation kDrawn[] = {
      Operation::multireduce, Operation::scatter,         Operation::gather,
      Operation::histogram,   Operation::multiscan,       Operation::multitag,
      Operation::partialSort, Operation::segmentedReduce, Operation::segmentedScan};
  constexpr size_t kNotDrawn = 4;  // scan, compact, reduceAxes, multireduceInOrder
  static_assert(std::size(kDrawn) + kNotDrawn == std::size(kOperations));
  Problem problem;
  problem.operation = dice.pick(kDrawn);
  problem.types = draw_types(problem.operation, dice);
  problem.n = draw_size(dice, kLeastInputBits, kMostInputBits);
  problem.m = draw_size(dice, kLeastBucketBits, kMostBucketBits);
  problem.distribution = draw_distribution(dice);
  problem.seed = dice.below(uint64_t{1} << 32);
  return problem;
}

std::vector<CpuPlan> draw_plans(const Problem& problem, int threads, Dice& dice) {
  Resources resources;
  resources.page_size = dice.chance(0.5) ? PageSize::k4KiB : PageSize::k2MiB;
  if (threads > 1 && dice.chance(0.5)) {
    resources.threads = 2 + static_cast<int>(dice.below(static_cast<uint64_t>(threads - 1)));
  }
  CpuPlan direct{.presort = {}, .base = {}, .resources = resources};
  if (!legal(direct, problem)) {
    direct.resources.threads = 1;
  }
  std::vector<CpuPlan> plans = {direct};
  CpuPlan fetched{.presort = {}, .base = {}, .resources = resources};
  fetched.base.prefetch_distance = 16;
  if (legal(fetched, problem)) {
    plans.push_back(fetched);
  }
  for (int k = 0; k < 2; ++k) {
    add_drawn(plans, problem, [&] { return any_presort(problem, resources, dice); });
  }
  if (dice.chance(0.5)) {
    add_drawn(plans, problem, [&] { return any_presort(problem, resources, dice); });
  } else {
    add_drawn(plans, problem, [&] { return any_loop(resources, dice); });
  }
  return plans;
}

}  // namespace presort::app
