// Reduces segments of one length, a power of two, none of which begins in one tile of a warp and
// ends in another. No ends are looked for: a lane folds its consecutive values, of one segment or
// of several whole ones, and lanes of one segment join what they have.
//   values 0 … 511 of a warp's tile, length 8: a lane's 16 values are two segments; length 64: four
//   lanes'
// Shapes:   values[n], results[n / length]
// Requires: length a power of two, at most WarpStages<Value>::kValues; n a multiple of length
// Order:    left to right; what is grouped depends on the length and the type alone
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "presort/gpu/block/packs.cuh"
#include "presort/gpu/block/warp_stages.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

// True if n values in segments of that length are reduced so. Lanes store the results of the
// shortest segments apart from each other, which many values wait for: n = 2^26, length 4, 0.0023
// ns a value, and 0.0022 with ends; length 1, 0.0128 and 0.0047 (one H100, f32, 2026-11-25).
template <class Value>
constexpr bool are_aligned_segments(uint64_t n, uint64_t length) {
  constexpr uint64_t kShort = 8;
  constexpr uint64_t kFewValues = uint64_t{1} << 18;
  return std::has_single_bit(length) && length <= WarpStages<Value>::kValues &&
         (length >= kShort || n <= kFewValues);
}

inline constexpr int kAlignedWarps = 4;   // number of warps of a block
inline constexpr int kAlignedBlocks = 8;  // least number of blocks on a multiprocessor

// length_bits: log2 of the length of a segment.
template <class Value, class M>
__global__ void __launch_bounds__(kAlignedWarps* kWarpLanes, kAlignedBlocks)
    reduce_aligned_segments_kernel(const Value* values, uint64_t n, int length_bits, Value* results,
                                   bool is_aligned, const __grid_constant__ M monoid) {
  using Stages = WarpStages<Value>;
  constexpr uint32_t kOfLane = Stages::kOfLane;
  const uint32_t of_lane = min(kOfLane, 1u << length_bits);  // a lane's values of one segment
  const uint32_t lanes = (1u << length_bits) / of_lane;      // lanes of one segment
  __shared__ alignas(16) unsigned char memory[kAlignedWarps * sizeof(Stages)];
  Stages& stages = reinterpret_cast<Stages*>(memory)[threadIdx.x / kWarpLanes];
  const uint32_t lane = threadIdx.x % kWarpLanes;
  const uint64_t warps = uint64_t{gridDim.x} * kAlignedWarps;
  const uint64_t tiles = (n + Stages::kValues - 1) / Stages::kValues;
  const uint64_t first = uint64_t{blockIdx.x} * kAlignedWarps + threadIdx.x / kWarpLanes;
  const auto copy = [&](uint64_t turn) {
    const uint64_t tile = first + turn * warps;
    if (tile < tiles) {
      stages.copy(turn % kStages, values, tile * Stages::kValues, n, is_aligned);
    }
    commit_copies();
  };
#pragma unroll
  for (uint64_t turn = 0; turn < kStages - 1; ++turn) {
    copy(turn);
  }
  for (uint64_t turn = 0; first + turn * warps < tiles; ++turn) {
    wait_for_copies();
    __syncwarp();
    copy(turn + kStages - 1);
    const uint64_t own = (first + turn * warps) * Stages::kValues + lane * kOfLane;
    Value* to = results + (own >> length_bits);
    Value value[kOfLane];
    stages.read(turn % kStages, value);
    Value sum = value[0];
#pragma unroll
    for (uint32_t i = 0; i < kOfLane; ++i) {
      const bool is_first = (i & (of_lane - 1)) == 0;
      sum = is_first ? value[i] : monoid(sum, value[i]);
      const bool is_last = (i & (of_lane - 1)) == of_lane - 1;
      if (is_last && lanes == 1 && own + i < n) {
        *to++ = sum;
      }
    }
    for (uint32_t step = 1; step < lanes; step *= 2) {
      const Value after = shuffle_from(sum, static_cast<int>(lane + step));
      sum = lane % lanes + step < lanes ? monoid(sum, after) : sum;
    }
    if (lanes > 1 && lane % lanes == 0 && own < n) {
      *to = sum;
    }
  }
}

// Launches the kernel. Errors: EnvironmentError when CUDA refuses the launch
template <class Value, class M>
void reduce_aligned_segments(cudaStream_t stream, const Value* values, uint64_t n, uint64_t length,
                             Value* results, const M& monoid) {
  const uint64_t tiles = (n + WarpStages<Value>::kValues - 1) / WarpStages<Value>::kValues;
  const uint64_t most =
      uint64_t{kAlignedBlocks} * static_cast<uint64_t>(current_device_limits().multiprocessors);
  const uint64_t blocks = std::min((tiles + kAlignedWarps - 1) / kAlignedWarps, most);
  reduce_aligned_segments_kernel<<<static_cast<unsigned>(blocks), kAlignedWarps * kWarpLanes, 0,
                                   stream>>>(values, n, std::countr_zero(length), results,
                                             are_packs_aligned<kPackOf<Value>>(values), monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
