// Which plan a GPU does best with, when nothing was tuned. The rule follows what one H200 took for
// u32 + u32, n = 2^28, uniform labels, 2026-11-22 (docs/results/gpu-kernels.md): tables in shared
// memory take 0.0018 ns an input; two buckets take 0.0027 with one set of them and 0.0018 with
// eight; two ranges of buckets take 0.0018, five 0.0044; a pre-sort by 5 to 7 bits 0.0067 to
// 0.0070, by 9 bits 0.0085. So the rule takes up to seven ranges; beyond, a pre-sort by as few bits
// as make the buckets of a part fit a block. For 2^26 buckets that takes 11 bits, and parts in two
// ranges after 10 bits took 0.0111 instead of 0.0124 (with the kernels before, now 0.0098): from
// there on one bit fewer, as long as one pass and three ranges do. Values of 8 bytes are updated by
// compare and swap, where lanes that meet in a bank wait: with as many sets as still leave one
// range, 2^8 buckets take 0.00265 instead of 0.0057, 2^12 buckets 0.0036 instead of 0.0042.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/labels/distribution.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/written_buckets.h"

namespace presort::inline v0::gpu {

inline constexpr int kMostRangesByRule = 7;
inline constexpr int kFewestBitsByRule = 5;
inline constexpr int kMostBitsOfOneRange = 10;
inline constexpr int kMostRangesOfPartByRule = 3;
inline constexpr uint64_t kFewBuckets = 256;  // with 4-byte values, their sets take 8 KiB
inline constexpr int kSetsOfFewBuckets = 8;
inline constexpr int kMostSetsByRule = 16;  // for values of 8 bytes: one set for each bank

// The plan of an operation in any order. Requires: m >= 1
inline GpuPlan plan_by_rule(const GpuProblem& problem, const DeviceLimits& device) {
  GpuPlan plan;
  plan.strategy = GpuStrategy::sharedSets;
  if (problem.value_bytes > 4) {
    while (plan.n_sets < kMostSetsByRule &&
           problem.m * problem.value_bytes * plan.n_sets * 2 <= device.table_bytes_of_block()) {
      plan.n_sets *= 2;
    }
  } else if (problem.m <= kFewBuckets) {
    plan.n_sets = kSetsOfFewBuckets;
  }
  if (ranges_of(plan, problem.m, problem.value_bytes, device) <= kMostRangesByRule) {
    return plan;
  }
  plan.n_sets = 1;
  const int bits = label_bits(problem.m);
  int sort_bits = std::min(bits, kFewestBitsByRule);
  while (sort_bits < kMaxPartBits &&
         problem.value_bytes << (bits - sort_bits) > device.table_bytes_of_block()) {
    ++sort_bits;
  }
  if (sort_bits > kMostBitsOfOneRange) {
    sort_bits = std::min(sort_bits - 1, kMaxDigitBits);
    plan.presort = GpuPresort{.sort_bits = sort_bits};
    if (ranges_of_part(plan, problem.m, problem.value_bytes, device) > kMostRangesOfPartByRule) {
      sort_bits = std::min(bits, kMaxPartBits);
    }
  }
  plan.presort = GpuPresort{.sort_bits = sort_bits, .passes = sort_bits > kMaxDigitBits ? 2 : 1};
  if (ranges_of_part(plan, problem.m, problem.value_bytes, device) > kMostRangesOfPartByRule) {
    plan.strategy = GpuStrategy::globalSets;
  }
  return plan;
}

// The plan of a scatter of n inputs, with indices of 4 bytes. Where one pass would have 10 bits and
// more, values are taken along through two (gpu/scatter.cuh), unless so few are fetched from
// anywhere otherwise that these take less: a read of a sector takes 0.028 ns, and the second pass
// and what parts write beside places 0.008 ns an input by 10 bits, 0.005 by 11, which take longer
// in one pass. Values taken along and read from anywhere, uniform labels:
//   n     m     ns
//   2^28  2^26  0.0169  0.0163
//   2^28  2^27  0.0177  0.0238
//   2^27  2^26  0.0180  0.0228
//   2^27  2^25  0.0187  0.0158
//   2^26  2^26  0.0201  0.0304
//   2^26  2^25  0.0214  0.0223
//   2^25  2^25  0.0251  0.0295
// and 0.0206 and 0.0145 of zipf:1.25 labels of 2^27 inputs, 2^26 buckets; from 9 bits down 0.0209
// and 0.0151 (2^26, 2^24), 0.0315 and 0.0271 (2^24, 2^24).
inline GpuPlan scatter_plan_by_rule(uint64_t n, uint64_t m, const DeviceLimits& device,
                                    const Distribution& distribution = {}) {
  constexpr double kMostSectorsByTenBits = 0.3;  // sectors an input
  constexpr double kMostSectorsByMore = 0.19;
  constexpr int kBitsOfPart = 14;  // bits of a label in a part whose buckets' places and values fit
                                   // a block
  const GpuPlan plan = plan_by_rule({n, m, sizeof(uint32_t)}, device);
  if (!plan.presort || plan.presort->sort_bits < kMostBitsOfOneRange) {
    return plan;
  }
  const double most =
      plan.presort->sort_bits == kMostBitsOfOneRange ? kMostSectorsByTenBits : kMostSectorsByMore;
  if (sectors_of_last_values(distribution, n, m) <= most * static_cast<double>(n)) {
    return plan;
  }
  GpuPlan pairs;
  pairs.strategy = GpuStrategy::sharedSets;
  const int sort_bits = std::clamp(label_bits(m) - kBitsOfPart, 2, kMaxPartBits);
  pairs.presort = GpuPresort{.sort_bits = sort_bits, .passes = 2};
  return ranges_of_part(pairs, m, sizeof(uint32_t), device) == 1 ? pairs : plan;
}

// The plan of a sort by all bits of the labels, in passes of at most 10 bits. With the histogram,
// stable passes take 0.0063 ns an input by 8 bits, 0.0081 by 9, 0.0090 by 10, 0.0128 by 11 (one
// H200, u32 + u32).
// Requires: m >= 2
inline constexpr int kMostBitsOfStablePass = 10;

inline GpuPlan sort_plan_by_rule(uint64_t m) {
  const int bits = label_bits(m);
  GpuPlan plan;
  plan.strategy = GpuStrategy::sharedSets;
  plan.presort = GpuPresort{.sort_bits = bits,
                            .passes = (bits + kMostBitsOfStablePass - 1) / kMostBitsOfStablePass};
  return plan;
}

// Whether there are so few inputs that an operation in order sorts them tile by tile, because
// launches would take most of the time.
inline bool has_tiles_by_rule(const GpuProblem& problem) {
  constexpr uint64_t kMostInputs = uint64_t{1} << 20;
  constexpr uint64_t kMostBytesOfBuckets = uint64_t{1} << 24;  // beyond, reading and writing all
                                                               // buckets takes too long
  return problem.n <= kMostInputs && problem.value_bytes <= kMostTabledBytes &&
         problem.m <= kMostBytesOfBuckets / problem.value_bytes;
}

// The plan of a multireduce in the order of the inputs. A pre-sort has as few passes as leave no
// more bits than a warp has a table for; each orders by as many bits as cost little, 8 with values
// of 4 bytes, 7 with larger ones, so that tables are small. ns an input, u32 labels, one H200,
// 2026-11-25, by the bits that tables resolve:
//   n     m     value    11      10      9       8
//   2^28  2^12  4 bytes  0.0128  0.0116  0.0110  0.0103
//   2^28  2^16  4 bytes  0.0118  0.0114  0.0112  0.0109
//   2^28  2^16  8 bytes          0.0163  0.0159  0.0178
//   2^22  2^16  4 bytes  0.0438  0.0350  0.0312  0.0321
//   2^22  2^20  4 bytes  0.0528  0.0433
// Of fewer inputs than buckets, all bits are ordered by: most tables would hold next to nothing.
// Requires: m >= 1
inline GpuPlan ordered_plan_by_rule(const GpuProblem& problem) {
  constexpr int kFewestTableBits = 8;
  constexpr uint64_t kManyInputs = uint64_t{1} << 23;  // inputs from which on tables of 2^11
                                                       // buckets pay
  constexpr int kTableBitsOfFewer = 10;
  GpuPlan plan;
  plan.strategy = GpuStrategy::sharedSets;
  const int bits = label_bits(problem.m);
  const int most = most_table_bits(problem.value_bytes);
  if (bits <= most || has_tiles_by_rule(problem)) {
    return plan;
  }
  int sort_bits = bits;
  if (problem.n >= problem.m) {
    const int table_bits = problem.n < kManyInputs ? std::min(most, kTableBitsOfFewer) : most;
    const int passes = (bits - table_bits + kMostBitsOfStablePass - 1) / kMostBitsOfStablePass;
    const int cheap_bits = (problem.value_bytes <= 4 ? 8 : 7) * passes;
    sort_bits = std::max(bits - table_bits, std::min(bits - kFewestTableBits, cheap_bits));
  }
  plan.presort =
      GpuPresort{.sort_bits = sort_bits,
                 .passes = (sort_bits + kMostBitsOfStablePass - 1) / kMostBitsOfStablePass};
  return plan;
}

// The plan of a scan per bucket: one pass where a warp has a table of all buckets; few inputs tile
// by tile; otherwise after a sort. Many inputs in passes of at most 8 bits: n = 2^28, values of 4
// bytes, 0.0582 ns into 2^20 buckets in two passes of 10, 0.0536 into 2^24 in three of 8. With 2^20
// inputs and 2^16 buckets, tiles take 0.096 ns an input and two passes 0.097; with values of 8
// bytes 0.126 and 0.113 (one H200, 2026-11-25).
// Requires: m >= 1
inline GpuPlan scan_plan_by_rule(const GpuProblem& problem, const DeviceLimits& device) {
  constexpr uint64_t kMostTiledBytes = uint64_t{1} << 22;  // bytes of values, up to which tiles are
                                                           // used
  constexpr uint64_t kManyInputs = uint64_t{1} << 24;
  constexpr int kMostBitsOfTracedPass = 8;
  const int bits = label_bits(problem.m);
  const bool has_tiles =
      has_tiles_by_rule(problem) && problem.n * problem.value_bytes <= kMostTiledBytes;
  if (bits <= scan_table_bits(device, problem.value_bytes) || has_tiles) {
    return {};
  }
  GpuPlan plan = sort_plan_by_rule(problem.m);
  if (problem.n >= kManyInputs) {
    const int passes = (bits + kMostBitsOfTracedPass - 1) / kMostBitsOfTracedPass;
    plan.presort->passes = std::min(passes, kMostScanPasses);
  }
  return plan;
}

}  // namespace presort::gpu
