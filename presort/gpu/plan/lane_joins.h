// How kernels of atomics spare updates: lanes of a warp that have one label update its bucket once
// (gpu/device/update_global.cuh). By the number of inputs:
//   below kFewestInputsOfHot    where all lanes have one label
//   below kFewestInputsOfLook   where kFewestAlike lanes have one, all that are alike; a warp asks this of
//                               every other row
//   from there on               hot buckets have words in shared memory; of others, where kFewestInRuns
//                               lanes have the label of the lane before, all that are alike; of labels
//                               that are known to be spread (are_spread), where all lanes have one
// No CUDA types: the simulator of kernels follows the same rules.
#pragma once

#include <cstdint>

#include "presort/core/labels/distribution.h"

namespace presort::inline v0::gpu {

// Inputs below which no bucket can be so hot that joining lanes pays: that takes 0.2 µs of all
// labels, and 2^14 inputs of zipf:1.25 labels wait 2 to 4 µs for each other (one H100, 2026-11-26).
inline constexpr uint64_t kFewestInputsOfHot = uint64_t{1} << 16;

// Fewest inputs of which blocks look for hot buckets. Below, the lanes of a warp that have one
// label are joined instead, which costs other labels nothing. µs, f64, m = 2^18: plain atomics;
// joined; with a look (one H100, 2026-11-26):
//   labels     n = 2^16          2^18              2^20              2^22
//   uniform    7.6, 7.7, 7.9     11.9, 11.6, 11.5  22.4, 21.9, 24.2  66.9, 65.8, 69.1
//   sorted     7.0, 6.9, 7.7     8.1, 8.4, 8.4     14.5, 13.5, 16.1  59.9, 39.2, 65.6
//   zipf:1.25  30.4, 13.2, 10.0  98.9, 33.2, 18.7  346, 102, 47      1286, 336, 154
inline constexpr uint64_t kFewestInputsOfLook = (uint64_t{1} << 20) + 1;

// Fewest lanes of one label for which a warp of few inputs joins its lanes.
inline constexpr int kFewestAlike = 4;

// Fewest lanes with the label of the lane before them for which a warp of many inputs does: runs of
// ten and more. Joined lanes look for those alike, which takes a turn for each label there is. µs,
// labels in order, u32, n = 2^21: without; with 8 or more (one H200, 2026-11-26):
//   inputs of a bucket   2           4           16          1000       123,000
//                        14.9, 21.5  17.4, 22.5  31.5, 23.0  180, 15.2  750, 32.4
// Before, blocks that had found a hot bucket joined no lanes of others.
inline constexpr int kFewestInRuns = 28;

// True if no block of 256 threads is to find a hot bucket among n labels below m, and warps do not
// find runs of one label that they would join: a kernel of atomics need not look.
inline bool are_spread(const Distribution& labels, uint64_t n, uint64_t m) {
  // Fewest buckets of spread labels: where 4096 are equally likely, a block finds four equal labels
  // among 256 in one of a million cases.
  constexpr uint64_t kFewestBuckets = 4096;
  constexpr uint64_t kLanesOfWarp = 32;
  // Time over a plain kernel's without and with a look, f32, of 9, 65 and 405 inputs a bucket: 0.99,
  // 1.02; 1.02, 1.00; 1.05, 1.01 (one H200, 2026-11-27).
  constexpr uint64_t kMostInputsOfCell = 256;
  if (m < kFewestBuckets) {
    return false;
  }
  switch (labels.kind) {
    case DistributionKind::uniform:
    case DistributionKind::permutation:
      return true;
    case DistributionKind::cells:
      return n <= kMostInputsOfCell * m;
    case DistributionKind::sorted:
    case DistributionKind::sequential:
      // A row of a warp has 32 m / n labels, at least as many as kFewestInRuns leaves room for.
      return kLanesOfWarp * m >= (kLanesOfWarp - kFewestInRuns) * n;
    default:
      return false;
  }
}

}  // namespace presort::gpu
