#include "presort/gpu/plan/draw/rule_plans.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"

namespace presort::inline v0::gpu {
namespace {
namespace rules {

constexpr GpuPlan kPlainAtomics{.presort = {}, .strategy = GpuStrategy::globalSets};

GpuPlan atomics(const Problem&, const RuledDevice&) {
  return kPlainAtomics;
}

GpuPlan tables_or_atomics(const Problem& problem, const RuledDevice& device) {
  return runs_on(problem, GpuPlan{}, device.limits) ? GpuPlan{} : kPlainAtomics;
}

// A pre-sort by `bits` bits, or by all if there are fewer, in as few passes as that takes.
GpuPlan sorted(const Problem& problem, int bits, GpuStrategy strategy) {
  const int sorted = std::clamp(std::min(bits, label_bits(problem.m)), 1, kMaxPartBits);
  const int passes = (sorted + kMaxDigitBits - 1) / kMaxDigitBits;
  return {.presort = GpuPresort{.sort_bits = sorted, .passes = passes}, .strategy = strategy};
}

GpuPlan sorted_tables(const Problem& problem, int bits, const RuledDevice& device) {
  const GpuPlan tables = sorted(problem, bits, GpuStrategy::sharedSets);
  const size_t entry = table_entry_bytes(problem);
  return ranges_of_part(tables, problem.m, entry, device.limits) <= kMostRangesOfPart
             ? tables
             : sorted(problem, bits, GpuStrategy::globalSets);
}

GpuPlan eight_bits_atomics(const Problem& problem, const RuledDevice&) {
  return sorted(problem, 8, GpuStrategy::globalSets);
}
GpuPlan eight_bits_tables(const Problem& problem, const RuledDevice& device) {
  return sorted_tables(problem, 8, device);
}
GpuPlan fourteen_bits_tables(const Problem& problem, const RuledDevice& device) {
  return sorted_tables(problem, 14, device);
}

GpuPlan thesis(const Problem& problem, const RuledDevice&) {
  constexpr uint64_t kFewestBuckets = uint64_t{1} << 16;
  constexpr int kBitsLeft = 7;
  return problem.m < kFewestBuckets
             ? kPlainAtomics
             : sorted(problem, label_bits(problem.m) - kBitsLeft, GpuStrategy::globalSets);
}

// True if a table's buckets are updated by compare and swap.
bool swaps(const Problem& problem) {
  const ScalarType value = problem.types.value;
  return problem.operation != Operation::scatter &&
         (value == ScalarType::f32 || value == ScalarType::f64);
}

GpuPlan futhark(const Problem& problem, const RuledDevice& device) {
  constexpr double kFewestSteps = 2;  // inputs of a thread for each bucket of its set
  constexpr double kMostSets = 32;
  constexpr double kPartOfL2 = 0.4;
  const auto n = static_cast<double>(problem.n);
  const auto m = static_cast<double>(problem.m);
  if (n < m) {
    return kPlainAtomics;
  }
  const auto entry = static_cast<double>(table_entry_bytes(problem));
  const auto table = static_cast<double>(device.limits.table_bytes_of_block());
  const double blocks = device.limits.multiprocessors;
  const double fit = std::max(1.0, std::floor(std::min(table / entry, n / blocks) / m));
  const double sets = std::min({fit, std::floor(n / (kFewestSteps * blocks * m)), kMostSets});
  const double ranges = std::ceil(std::max(sets, 1.0) * m * entry / table);
  if (sets >= 1 && ranges <= (swaps(problem) ? 4 : 3)) {
    const int whole = static_cast<int>(std::bit_floor(static_cast<unsigned>(sets)));
    return {.presort = {}, .range_passes = 1, .n_sets = whole};
  }
  const double parts = std::ceil(
      m * entry / (kPartOfL2 * static_cast<double>(std::max<uint64_t>(device.l2_bytes, 1))));
  if (parts <= 1) {
    return kPlainAtomics;
  }
  return sorted(problem, static_cast<int>(std::ceil(std::log2(parts))), GpuStrategy::globalSets);
}

}  // namespace rules

constexpr PlanRule kPlanRules[] = {
    {"plain atomics", true, rules::atomics},
    {"tables, else atomics", true, rules::tables_or_atomics},
    {"8 sorted bits, then atomics", true, rules::eight_bits_atomics},
    {"8 sorted bits, then tables", true, rules::eight_bits_tables},
    {"14 sorted bits, then tables", true, rules::fourteen_bits_tables},
    {"the thesis' rule", false, rules::thesis},
    {"Futhark's formula", false, rules::futhark},
};

}  // namespace

std::span<const PlanRule> plan_rules() {
  return kPlanRules;
}

std::optional<GpuPlan> ruled_plan(const PlanRule& rule, const Problem& problem,
                                  const RuledDevice& device) {
  const bool is_in_any_order = problem.operation == Operation::multireduce ||
                               problem.operation == Operation::histogram ||
                               problem.operation == Operation::scatter;
  if (!is_in_any_order || device.limits.multiprocessors == 0) {
    return std::nullopt;
  }
  const GpuPlan plan = rule.plan(problem, device);
  return runs_on(problem, plan, device.limits) ? std::optional(plan) : std::nullopt;
}

}  // namespace presort::gpu
