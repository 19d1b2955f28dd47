// The times of operations that have a single plan on a GPU, in closed form as in plan_time.h: bytes
// moved and kernels launched, over measured ceilings. Nothing is fitted to the time of a run. No
// CUDA types.
#pragma once

#include <cstdint>

#include "presort/core/problem.h"
#include "presort/gpu/plan/ceilings.h"
#include "presort/gpu/plan/times/phase_times.h"

namespace presort::inline v0::gpu {

// Adds the phases of a scan, a compact, a reduceAxes or an operation on segments.
// Requires: has_one_gpu_plan(problem.operation) (plan_list.h), which is no gather
void add_one_plan(const Problem& problem, const Ceilings& at, PhaseTimes& phases);

// What launches depend on. The values are those of the kernels; a GPU test compares them.

// Number of values in a tile of a scan or a compaction, and most tiles of a launch that is one
// cluster and clears its look-back itself (block/tile_pipeline.cuh).
constexpr uint64_t scan_tile_values(uint64_t value_bytes) {
  constexpr uint64_t kBytesOfTile = 16384;
  return kBytesOfTile / value_bytes;
}
inline constexpr uint64_t kMostTilesInOneLaunch = 8;
inline constexpr uint64_t kMostTilesInOneLaunchWithOffsets = 24;

// Most values whose heads are made, and the look-back cleared, in one launch
// (device/ordered/mark_heads.cuh).
inline constexpr uint64_t kMostHeadsInOneLaunch = uint64_t{1} << 21;

// True if a reduction has a block for each segment, and no look-back
// (device/ordered/reduce_each_segment.cuh).
constexpr bool has_block_for_each_segment(uint64_t n, uint64_t segments) {
  constexpr uint64_t kMostOfFew = uint64_t{1} << 18;
  constexpr uint64_t kMostOfMany = uint64_t{1} << 17;
  constexpr uint64_t kFewSegments = 2048;
  constexpr uint64_t kLongOnAverage = 64;
  return segments > 0 && n <= kMostOfFew &&
         (segments <= kFewSegments || (n <= kMostOfMany && n / segments >= kLongOnAverage));
}

}  // namespace presort::gpu
