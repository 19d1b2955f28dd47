// The plans of operations that keep the order of the inputs, as measured on one H200 and one H100. Rules,
// not the closed form (plan_time.h), which loses more. No CUDA types.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// Most label bits that a stable pass of a pre-sort orders by. With its histogram, a pass takes 0.0063 ns
// an input by 8 bits, 0.0081 by 9, 0.0090 by 10, 0.0128 by 11 (one H200, u32 + u32, n = 2^28).
inline constexpr int kMostBitsOfStablePass = 10;

// True if an operation in order can sort its inputs tile by tile: of few inputs launches take most of
// the time of any other way.
inline bool has_tiles(const GpuProblem& problem, uint64_t most_inputs) {
  // Most bytes of all buckets for tiles: more take too long to read and write
  constexpr uint64_t kMostBytesOfBuckets = uint64_t{1} << 24;
  return problem.n <= most_inputs && problem.value_bytes <= kMostTabledBytes &&
         problem.m <= kMostBytesOfBuckets / problem.value_bytes;
}

// Most inputs that a multireduce in order sorts tile by tile. µs of 2^21 inputs by tiles, and by the
// best pre-sort, values of 4 bytes: into 2^12 buckets 88, 77; 2^16 91, 105; 2^20 107, 137; of 8 bytes
// 100, 99; 104, 142; 125, 168 (one H100, 2026-11-25)
inline uint64_t most_tiled_reduced(const GpuProblem& problem) {
  constexpr uint64_t kFewBuckets = uint64_t{1} << 12;
  const bool are_few = problem.m <= kFewBuckets && problem.value_bytes <= 4;
  return uint64_t{1} << (are_few ? 20 : 21);
}

// Most inputs that a scan per bucket sorts tile by tile. µs by tiles, and by the best pre-sort, into
// 2^12, 2^16, 2^20 buckets, values of 4 bytes: 2^21 inputs 113, 136; 115, 146; 138, 188; 2^22 inputs 243,
// 212; 255, 226; 290, 300; of 8 bytes: 2^22 inputs 287, 316; 306, 351; 339, 399 (one H100, 2026-11-25).
// Larger values are not stored by neighbouring threads, and were not timed since.
inline uint64_t most_tiled_scanned(const GpuProblem& problem) {
  constexpr uint64_t kMostBytesOfLarge = uint64_t{1} << 22;
  return problem.value_bytes > 8   ? kMostBytesOfLarge / problem.value_bytes
         : problem.value_bytes > 4 ? uint64_t{1} << 22
                                   : uint64_t{1} << 21;
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
// Tables resolve 9 bits of a label where there are 2^21 to 2^23 inputs with values of 4 bytes. Time of
// a multireduce in order, µs, by the bits that tables resolve (one H100, 2026-11-26, medians of four
// runs that lie within 2 %):
//   n       m       11   10   9    8
//   2^22    2^11    119  122  103  104
//   2^22    2^12    181  119  103  105
//   2^22    2^13         122  107  113
//   2^22    2^16              132  134
//   2^22.2  2^21.7  313  273  245  258
//   2^22.4  2^21.7  306  292  298  309
//   2^22.8  2^21.7  335  304  311  313
// Fewer inputs than buckets are ordered by all bits: most tables would hold next to nothing.
// Requires: m >= 1
inline GpuPlan ordered_plan(const GpuProblem& problem) {
  constexpr int kFewestTableBits = 8;
  constexpr int kTableBitsBetween = 9;
  constexpr uint64_t kMostTiled = uint64_t{1} << 21;  // most inputs that are sorted tile by tile
  constexpr uint64_t kManyInputs = uint64_t{1}
                                   << 23;  // least number of inputs for which tables of 11 bits pay
  constexpr int kTableBitsOfFewer = 10;
  GpuPlan plan;
  plan.strategy = GpuStrategy::sharedSets;
  const int bits = label_bits(problem.m);
  const int most = most_table_bits(problem.value_bytes);
  const bool is_between =
      problem.n > kMostTiled && problem.n < kManyInputs && problem.value_bytes <= 4;
  if (bits <= (is_between ? kTableBitsOfFewer : most) ||
      has_tiles(problem, most_tiled_reduced(problem))) {
    return plan;
  }
  int sort_bits = bits;
  if (problem.n >= problem.m) {
    const int table_bits = problem.n < kManyInputs ? std::min(most, kTableBitsOfFewer) : most;
    const int passes = (bits - table_bits + kMostBitsOfStablePass - 1) / kMostBitsOfStablePass;
    const int fewest_bits = is_between ? kTableBitsBetween : kFewestTableBits;
    const int cheap_bits = (problem.value_bytes <= 4 ? 8 : 7) * passes;
    sort_bits = std::max(bits - table_bits, std::min(bits - fewest_bits, cheap_bits));
  }
  plan.presort =
      GpuPresort{.sort_bits = sort_bits,
                 .passes = (sort_bits + kMostBitsOfStablePass - 1) / kMostBitsOfStablePass};
  return plan;
}

// The plan of a scan per bucket: one pass where a warp has a table of all buckets; few inputs tile
// by tile; otherwise after a sort. Many inputs in passes of at most 8 bits: n = 2^28, values of 4
// bytes, 0.0582 ns into 2^20 buckets in two passes of 10, 0.0536 into 2^24 in three of 8 (one H200,
// 2026-11-25).
// Requires: m >= 1
inline GpuPlan scan_plan(const GpuProblem& problem, const DeviceLimits& device) {
  constexpr uint64_t kManyInputs = uint64_t{1} << 24;
  constexpr int kMostBitsOfTracedPass = 8;
  const int bits = label_bits(problem.m);
  const bool is_tiled = has_tiles(problem, most_tiled_scanned(problem));
  if (bits <= scan_table_bits(device, problem.value_bytes) || is_tiled) {
    return {};
  }
  const int most_bits = problem.n >= kManyInputs ? kMostBitsOfTracedPass : kMostBitsOfStablePass;
  GpuPlan plan;
  plan.presort = GpuPresort{
      .sort_bits = bits, .passes = std::min((bits + most_bits - 1) / most_bits, kMostScanPasses)};
  return plan;
}

}  // namespace presort::gpu
