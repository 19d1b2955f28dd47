// Scans and folds over the lanes of a warp, in their order: ⊙ need not commute.
#pragma once

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Mask of the lanes before the calling one.
__device__ inline unsigned lanes_before() {
  return (1u << threadIdx.x % kWarpLanes) - 1;
}

// ⊙ of the values of a warp's lanes in the order of the lanes; every lane gets the result.
// Requires: all lanes call it
template <class M, class Value>
__device__ Value fold_lanes(Value value, const M& monoid) {
  const int lane = threadIdx.x % kWarpLanes;
#pragma unroll
  for (int lanes = 1; lanes < kWarpLanes; lanes *= 2) {
    const Value after = shuffle_from(value, lane + lanes);
    if (lane + lanes < kWarpLanes) {
      value = monoid(value, after);
    }
  }
  return shuffle_from(value, 0);
}

// ⊙ of the values of the lanes up to the calling one, from the last lane in `heads` on, if there is
// one. Requires: all lanes call it
template <class M, class Value>
__device__ Value scan_lanes(Value value, unsigned heads, const M& monoid) {
  const int lane = threadIdx.x % kWarpLanes;
  const unsigned own = heads & (lanes_before() | 1u << lane);
  const int first = own == 0 ? 0 : kWarpLanes - 1 - __clz(own);
#pragma unroll
  for (int lanes = 1; lanes < kWarpLanes; lanes *= 2) {
    const Value earlier = shuffle_from(value, lane - lanes);
    if (lane - lanes >= first) {
      value = monoid(earlier, value);
    }
  }
  return value;
}

}  // namespace presort::gpu
