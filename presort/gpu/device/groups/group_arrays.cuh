// Groups in device memory, where blocks append what their tables hold.
#pragma once

#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Parallel arrays of groups, in no particular order.
// Shapes: keys[room], sums[room], counts[room] or nullptr: nobody asked for counts; size[1], the
//         number of groups that were appended, also of those for which there was no room
template <class Key, class Value>
struct GroupArrays {
  Key* keys;
  Value* sums;
  uint32_t* counts;
  uint64_t room;
  unsigned long long* size;

  __device__ void write(uint64_t at, Key key, const Value& sum, uint32_t count) const {
    if (at < room) {
      keys[at] = key;
      sums[at] = sum;
      if (counts != nullptr) {
        counts[at] = count;
      }
    }
  }

  // Reserves places for one group of each lane that is active. Returns the lane's place. Requires:
  // all lanes of the warp call it
  __device__ uint64_t take(bool is_active) const {
    const unsigned active = __ballot_sync(kAllLanes, is_active);
    const unsigned lane = threadIdx.x % kWarpLanes;
    unsigned long long first = 0;
    if (lane == 0 && active != 0) {
      first = atomicAdd(size, static_cast<unsigned long long>(__popc(active)));
    }
    first = __shfl_sync(kAllLanes, first, 0);
    return first + __popc(active & ((1u << lane) - 1));
  }
};

}  // namespace presort::gpu
