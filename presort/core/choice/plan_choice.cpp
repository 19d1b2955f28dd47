#include "presort/core/choice/plan_choice.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "presort/core/base/checked.h"

namespace presort::inline v0 {
namespace {

// Inputs ahead of its update at which a bucket is fetched; tuned plans use the same
constexpr int kPrefetchDistance = 16;
// Inputs ahead of use at which labels and values are fetched; tuned plans use the same
constexpr int kInputDistance = 512;

// Distance added for a tuned entry whose kind of distribution only stands in for the wanted kind.
// This distance exceeds that of any two parameters of one kind (at most 8, or log2 2^20).
constexpr double kStandIn = 32;

bool is_zipf(DistributionKind kind) {
  return kind == DistributionKind::zipf || kind == DistributionKind::zipfContiguous;
}

// Distance of an entry's distribution from that of a problem; nothing if the kinds are not
// comparable.
std::optional<double> apart(const Distribution& wanted, const Distribution& found) {
  using Kind = DistributionKind;
  const auto either = [&](Kind a, Kind b) {
    return (wanted.kind == a && found.kind == b) || (wanted.kind == b && found.kind == a);
  };
  const double stand_in = wanted.kind == found.kind ? 0 : kStandIn;
  if (is_zipf(wanted.kind) && (is_zipf(found.kind) || found.kind == Kind::uniform)) {
    // Uniform labels count as zipf labels of exponent 0.
    return std::abs(wanted.parameter - found.parameter) + (is_zipf(found.kind) ? stand_in : 0);
  }
  if (wanted.kind == Kind::clustered && found.kind == Kind::clustered) {
    return std::abs(std::log2(wanted.parameter / found.parameter));
  }
  if (wanted.kind == Kind::clustered && found.kind == Kind::uniform) {
    return std::log2(wanted.parameter);
  }
  if (wanted.kind == found.kind) {
    return wanted == found ? 0 : 1;
  }
  if (wanted.kind == Kind::cells && found.kind == Kind::uniform) {
    return stand_in;
  }
  if (either(Kind::uniform, Kind::permutation) || either(Kind::sequential, Kind::sorted)) {
    return stand_in;
  }
  return std::nullopt;
}

// Distance of two pairs of types; 0: the same. The widths of labels and values count more than
// whether they are integers or floating point. The width of labels, which every pass of a pre-sort
// moves and counts, counts more than that of values.
int apart(const Types& wanted, const Types& found) {
  const int label = size_bytes(wanted.label) == size_bytes(found.label) ? 0 : 4;
  const int value = size_bytes(wanted.value) == size_bytes(found.value) ? 0 : 2;
  return label + value + (wanted == found ? 0 : 1);
}

struct Kind {
  std::tuple<double, int> distance;
  const Problem* like = nullptr;
};

// The distribution and types of the tuned entries that are nearest to the problem's, other than
// those in `tried`.
std::optional<Kind> next_kind(const Tuned& tuned, const Problem& problem,
                              const std::optional<Kind>& tried) {
  std::optional<Kind> next;
  for (const TunedEntry& entry : tuned.entries) {
    const auto distribution = apart(problem.distribution, entry.problem.distribution);
    if (entry.problem.operation != problem.operation || !distribution) {
      continue;
    }
    const Kind kind = {{*distribution, apart(problem.types, entry.problem.types)}, &entry.problem};
    if ((!tried || kind.distance > tried->distance) && (!next || kind.distance < next->distance)) {
      next = kind;
    }
  }
  return next;
}

// Bytes of the buckets that the inputs can meet.
uint64_t footprint_bytes(const Problem& problem) {
  constexpr uint64_t kLine = 64;  // bytes of a cache line: the buckets that one input touches
  return std::min(saturating_multiply(problem.m, size_bytes(problem.types.value)),
                  saturating_multiply(problem.n, kLine));
}

// Size of the buckets in use, in multiples of the private caches, from which on a pre-sort pays if
// there is no shared cache to count on.
double private_reach(const Distribution& distribution) {
  switch (distribution.kind) {
    case DistributionKind::sequential:
    case DistributionKind::sorted:
    case DistributionKind::degenerate:
      return INFINITY;  // labels in order: a bucket, or its line, is that of the label before
    case DistributionKind::zipf:
    case DistributionKind::zipfContiguous:
      // Measured with zipf:1.25 labels (docs/results/cpu-kernels.md): buckets 32 times as large as
      // the private caches are best without a pre-sort, buckets 512 times as large with one.
      return distribution.parameter >= 1 ? 128 : 4;
    case DistributionKind::clustered:
      // Clustered labels miss once in K inputs; the plain loop is at most 2.8 times as slow as the
      // best plan when every input misses.
      return distribution.parameter >= 3 ? INFINITY : 4;
    default:
      // Other labels, measured with uniform ones (docs/results/cpu-kernels.md): buckets twice as
      // large as the private caches are best without a pre-sort, buckets eight times as large with
      // one.
      return 4;
  }
}

// Gain by a pre-sort, ns an input, for buckets `excess` times as large as those from which on it
// wins: 0.7, 3.4, 7.0 and 11.6 against the plain loop with prefetch at 2, 8, 32 and 128 times
// (docs/results/cpu-kernels.md, uniform labels).
constexpr double kGainNsOfDouble = 1.8;
double presort_gain_ns(double excess) {
  return kGainNsOfDouble * (std::log2(excess) - 0.6);
}

// Time that a pre-sort takes more, ns an input, if it moves pairs of 16 bytes (with a label or value
// of 8) instead of 8: u32+u64 against u32+u32, 2^24 inputs into 2^18 buckets by 6 to 10 bits, took
// 5.1 ns instead of 2.5, 4.7 instead of 2.5 and 5.3 instead of 2.8 in three recordings
// (docs/results/sweeps/: two of golden-cove-vm, one of emerald-rapids-host).
double wide_pairs_ns(const Problem& problem) {
  constexpr double kOfWidePairs = 2.5;
  const bool moves_values = has_values(problem.operation);
  const bool wide =
      size_bytes(problem.types.label) > 4 || (moves_values && size_bytes(problem.types.value) > 4);
  return wide ? kOfWidePairs : 0;
}

// Bytes of the buckets in use from which on a pre-sort pays; infinite if none does. Wide pairs need
// larger buckets, so much that what a pre-sort gains grows by what the pairs take more.
double direct_reach(const Problem& problem, const CacheSizes& caches) {
  const double narrow =
      std::max(private_reach(problem.distribution) * static_cast<double>(caches.private_bytes),
               static_cast<double>(shared_reach_bytes(caches)));
  return narrow * std::exp2(wide_pairs_ns(problem) / kGainNsOfDouble);
}

CpuPlan plan_of_entry(const TunedEntry& entry, const Problem& problem, const ExtraNs& extra) {
  const bool timed = entry.predicted_ns_per_input > 0 && entry.direct_ns_per_input > 0;
  if (!extra || !timed || !can_run(entry.direct_plan, problem)) {
    return entry.plan;
  }
  const double taken = entry.predicted_ns_per_input + extra(entry.plan);
  return taken <= entry.direct_ns_per_input + extra(entry.direct_plan) ? entry.plan
                                                                       : entry.direct_plan;
}

// The plan by rule, except that a pre-sort is replaced by the plain loop with prefetch where it
// gains less than the extra time that its call takes.
CpuPlan plan_by_rule(const Problem& problem, const CacheSizes& caches, const ExtraNs& extra) {
  CpuPlan plan = plan_by_rule(problem, caches);
  if (!plan.presort || !extra) {
    return plan;
  }
  const double excess =
      static_cast<double>(footprint_bytes(problem)) / direct_reach(problem, caches);
  if (presort_gain_ns(excess) < extra(plan)) {
    plan.presort.reset();
    plan.base.prefetch_distance = kPrefetchDistance;
  }
  return plan;
}

}  // namespace

uint64_t chunk_bytes_by_rule(const Problem& problem, int bits) {
  // Chunk size, bytes; chunks of 16 and 256 KiB are within 7 % (docs/results/cpu-kernels.md)
  constexpr uint64_t kFastest = 64 << 10;
  constexpr uint64_t kFewest = 16 << 10;
  if (has_results(problem.operation) || problem.operation == Operation::partialSort) {
    return 0;
  }
  const uint64_t value_bytes = has_values(problem.operation) ? size_bytes(problem.types.value) : 0;
  const uint64_t all =
      saturating_multiply(problem.n, size_bytes(problem.types.label) + value_bytes);
  uint64_t bytes = kFastest;
  while (bytes >= kFewest && (bytes << bits) > all / 4) {
    bytes /= 2;
  }
  return bytes >= kFewest ? bytes : 0;
}

CpuPlan plan_by_rule(const Problem& problem, const CacheSizes& caches) {
  // Least bits of a pre-sort: best for 2^22 and 2^24 buckets; 2^28 buckets take 10
  // (docs/results/cpu-kernels.md)
  constexpr int kFewestBits = 8;
  CpuPlan plan;
  const uint64_t bytes = footprint_bytes(problem);
  const double reach = direct_reach(problem, caches);
  if (bytes <= caches.private_bytes || reach == INFINITY || problem.m <= 1) {
    plan.base.input_distance = kInputDistance;
    return plan;
  }
  if (static_cast<double>(bytes) <= reach) {
    plan.base.prefetch_distance = kPrefetchDistance;
    return plan;
  }
  // Bits to sort by, so many that the buckets of a part take at most half of the private caches.
  int bits = kFewestBits;
  while (bits < kMaxBitsPerPass && (bytes >> bits) > caches.private_bytes / 2) {
    ++bits;
  }
  bits = std::min(bits, label_bits(problem.m));
  plan.presort = Presort{.sort_bits = bits, .chunk_bytes = chunk_bytes_by_rule(problem, bits)};
  return plan;
}

PlanChoice choose_plan(const Tuned& tuned, const Problem& problem, const CacheSizes& caches,
                       const ExtraNs& extra) {
  std::optional<Kind> kind;
  while ((kind = next_kind(tuned, problem, kind))) {
    // The entry is chosen for a problem with the distribution and types that stand in for the
    // wanted ones. Its plan must run with the problem's own types too: a sum of floating-point
    // numbers does not take every plan of integers.
    Problem alike = problem;
    alike.types = kind->like->types;
    alike.distribution = kind->like->distribution;
    const auto match = find_entry(tuned, alike);
    if (match && can_run(match->entry->plan, problem)) {
      return {plan_of_entry(*match->entry, problem, extra), problem, match->entry->problem};
    }
  }
  return {plan_by_rule(problem, caches, extra), problem, std::nullopt};
}

}  // namespace presort
