// Reduces the values of lanes of a warp that have equal labels, so that one of them updates their
// bucket. Lanes that update one bucket at the same time wait for each other, in the L2 as in shared
// memory.
#pragma once

#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Mask of the lanes of a warp that have this lane's label. Called by the lanes of `lanes`.
template <class Label>
__device__ unsigned lanes_alike(unsigned lanes, Label label) {
  using Word = std::conditional_t<sizeof(Label) == 8, unsigned long long, unsigned>;
  return __match_any_sync(lanes, static_cast<Word>(label));
}

// ⊙ of the values of all lanes of `alike`, for the first of these lanes; other lanes get something
// else. Pairs of neighbours are joined, then pairs of pairs: as many steps as the logarithm of the
// most lanes.
// Requires: all lanes of `lanes` call it, each with the mask of those that are alike; ⊙ commutes
// Source:   Westphal, Voting and shuffling to optimize atomic operations, NVIDIA 2015
template <class Value, class M>
__device__ Value reduce_alike(unsigned lanes, unsigned alike, Value value, const M& monoid) {
  const uint32_t lane = threadIdx.x % kWarpLanes;
  uint32_t number = __popc(alike & ((1u << lane) - 1));  // number of the lane among those alike
  unsigned behind = alike & (0xfffffffeu << lane);       // lanes behind this one not joined yet
  while (__any_sync(lanes, behind != 0)) {
    const int next = __ffs(static_cast<int>(behind));
    const Value other = shuffle_words(value, [&](unsigned word) {
      return __shfl_sync(lanes, word, next > 0 ? next - 1 : static_cast<int>(lane));
    });
    if (next > 0) {
      value = monoid(value, other);
    }
    behind &= __ballot_sync(lanes, number % 2 == 0);
    number /= 2;
  }
  return value;
}

}  // namespace presort::gpu
