// Ranks: the place of each input among those of the same digit in its block.
#pragma once

#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// The lanes of a warp that hold the same digit find each other through a word of shared memory for
// each value of its low bits, where each sets its bit; a vote for each further bit tells those
// apart that share the low bits alone. A vote for every bit, four instructions each, kept the units
// of integer arithmetic busy: a stable partition of uniform labels by 8 bits, with its histogram,
// took 0.0089 ns an input that way and 0.0072 with these words (one H200, 2026-11-22). The
// instruction that matches whole words takes a round for each digit there is.
inline constexpr int kMaskBits = 8;

template <int kBits>
inline constexpr int kMasks = 1 << (kBits < kMaskBits ? kBits : kMaskBits);

// Ranks inputs of equal digits in the order of the inputs. Counts the digits of one warp in its own
// counters, and gives each input its place among those before it in the warp. Inputs are ranked row
// by row, a row being an input of each lane.
// Shapes:   counters[digits], masks[kMasks<kBits>], both zero before the first row
// Requires: the active lanes call it, and they are the first of the warp
template <int kBits>
__device__ uint32_t rank_in_warp(uint16_t* counters, uint32_t* masks, unsigned active,
                                 uint32_t digit) {
  const unsigned lane = threadIdx.x % kWarpLanes;
  uint32_t* mask = masks + digit % kMasks<kBits>;
  atomicOr(mask, 1u << lane);
  __syncwarp(active);
  const uint32_t count = counters[digit];
  unsigned equal = *static_cast<volatile uint32_t*>(mask);
#pragma unroll
  for (int bit = kMaskBits; bit < kBits; ++bit) {
    const bool is_set = (digit >> bit) & 1u;
    const unsigned set = __ballot_sync(active, is_set);
    equal &= is_set ? set : ~set;
  }
  const unsigned before = __popc(equal & ((1u << lane) - 1));
  __syncwarp(active);
  if (before == 0) {
    counters[digit] = static_cast<uint16_t>(count + __popc(equal));
    *mask = 0;
  }
  __syncwarp(active);
  return count + before;
}

// Ranks by counters of one warp. Ranks follow the order of the inputs if an atomic gives the lanes
// that meet at an address what was there in the order of the lanes. CUDA does not promise that; an
// H200 did so in all of 4·10^8 such meetings that were looked at, of few digits and many, skewed or
// not (2026-11-22). So the caller must check the order of the result.
// Shapes:   counters[digits], zero before the first row
struct AtomicLaneRanks {
  __device__ static uint32_t rank(uint32_t* counters, uint32_t digit) {
    return atomicAdd(counters + digit, 1u);
  }
};

// Ranks by counters of the block, in any order, or by those of one warp, in the order that
// LaneRanks gives. A warp whose inputs all have one digit counts it once.
// Shapes:   counters[digits], zero before the first row
// Requires: the active lanes call it, and they are the first of the warp
template <class LaneRanks = AtomicLaneRanks>
__device__ uint32_t rank_in_block(uint32_t* counters, unsigned active, uint32_t digit) {
  const uint32_t first = __shfl_sync(active, digit, 0);
  if (__all_sync(active, digit == first)) {
    const unsigned lane = threadIdx.x % kWarpLanes;
    uint32_t count = 0;
    if (lane == 0) {
      count = atomicAdd(counters + digit, static_cast<uint32_t>(__popc(active)));
    }
    return __shfl_sync(active, count, 0) + lane;
  }
  return LaneRanks::rank(counters, digit);
}

}  // namespace presort::gpu
