// A search by the 32 lanes of a warp.
#pragma once

#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Index of the last of `count` ascending numbers that is at most `at`; the warp compares 32 of them
// by one instruction.
// Shapes:   numbers[count], ascending.
// Requires: numbers[0] <= at; all lanes call it
template <class Number>
__device__ uint32_t last_at_or_before(const Number* numbers, uint32_t count, uint64_t at) {
  uint32_t first = 0;  // loop invariant: numbers[first] <= at
  while (count > 1) {
    const uint32_t step = (count + kWarpLanes - 1) / kWarpLanes;
    const uint32_t own = first + step * (threadIdx.x % kWarpLanes);
    const bool is_before = own < first + count && numbers[own] <= at;
    const int before = __popc(__ballot_sync(kAllLanes, is_before));
    const uint32_t last = first + count;
    first += step * (before - 1);
    count = min(step, last - first);
  }
  return first;
}

}  // namespace presort::gpu
