// Joins groups of equal keys that stand several times in a list: an index in device memory, by open
// addressing, holds the place in the list of one entry of each key, to which the others are added.
// How long the list is stands in device memory: the host need not know.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/base/key_hash.h"
#include "presort/gpu/detail/atomic_combine.cuh"
#include "presort/gpu/device/groups/group_arrays.cuh"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

inline constexpr int kJoinThreads = 256;
// Places of the index for each entry of the list.
inline constexpr uint64_t kIndexPlacesOfEntry = 2;

// Shapes: places[kIndexPlacesOfEntry · room of the list]: 0, or 1 + the place of an entry in the
//         list
struct GroupIndex {
  uint32_t* places;

  // Where the search for a hash begins; other bits than those that parts and tables are by choose
  // it.
  template <class Hash>
  __device__ static uint64_t begin(Hash hash, uint64_t size) {
    return __umul64hi(static_cast<uint64_t>(hash) * 0x9e3779b97f4a7c15ull, size);
  }
};

__device__ inline uint64_t thread_of_grid() {
  return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline uint64_t threads_of_grid() {
  return static_cast<uint64_t>(gridDim.x) * blockDim.x;
}

static __global__ void __launch_bounds__(kJoinThreads)
    clear_index_kernel(GroupIndex index, const unsigned long long* entries) {
  const uint64_t size = *entries * kIndexPlacesOfEntry;
  for (uint64_t i = thread_of_grid(); i < size; i += threads_of_grid()) {
    index.places[i] = 0;
  }
}

// Enters one entry of each key, and adds the others to it.
template <class Key, class Value>
__global__ void __launch_bounds__(kJoinThreads)
    join_kernel(GroupArrays<Key, Value> list, GroupIndex index) {
  const uint64_t entries = *list.size;
  const uint64_t size = entries * kIndexPlacesOfEntry;
  for (uint64_t i = thread_of_grid(); i < entries; i += threads_of_grid()) {
    const Key hash = list.keys[i];
    uint64_t at = GroupIndex::begin(hash, size);
    while (true) {
      uint32_t seen = *static_cast<volatile uint32_t*>(index.places + at);
      if (seen == 0) {
        seen = atomicCAS(index.places + at, 0u, static_cast<uint32_t>(i) + 1);
        if (seen == 0) {
          break;
        }
      }
      const uint32_t first = seen - 1;
      if (list.keys[first] == hash) {
        combine_atomically(list.sums + first, list.sums[i], Sum<Value>{});
        if (list.counts != nullptr) {
          atomicAdd(list.counts + first, list.counts[i]);
        }
        break;
      }
      at = at + 1 == size ? 0 : at + 1;
    }
  }
}

// Appends the entries that the index holds to the groups, with their keys.
template <class Key, class Value>
__global__ void __launch_bounds__(kJoinThreads)
    append_joined_kernel(GroupArrays<Key, Value> list, GroupIndex index,
                         GroupArrays<Key, Value> groups) {
  constexpr int kRows = 8;  // rows of 32 places for which a warp asks for room at once
  const unsigned lane = threadIdx.x % kWarpLanes;
  const uint64_t size = *list.size * kIndexPlacesOfEntry;
  const uint64_t step = threads_of_grid() * kRows;
  for (uint64_t first = (thread_of_grid() - lane) * kRows; first < size; first += step) {
    uint32_t seen[kRows];
    uint32_t before[kRows];
    uint32_t all = 0;
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const uint64_t at = first + row * kWarpLanes + lane;
      seen[row] = at < size ? index.places[at] : 0;
    }
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned active = __ballot_sync(kAllLanes, seen[row] != 0);
      before[row] = all + __popc(active & ((1u << lane) - 1));
      all += __popc(active);
    }
    unsigned long long to = 0;
    if (lane == 0 && all > 0) {
      to = atomicAdd(groups.size, static_cast<unsigned long long>(all));
    }
    to = __shfl_sync(kAllLanes, to, 0);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (seen[row] != 0) {
        const uint32_t at = seen[row] - 1;
        groups.write(to + before[row], key_of(list.keys[at]), list.sums[at],
                     list.counts != nullptr ? list.counts[at] : 0);
      }
    }
  }
}

// Joins the entries of a list, and appends the groups. Requires: the list has room for all its
// entries, fewer than 2^32
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Key, class Value>
void join_groups(cudaStream_t stream, const GroupArrays<Key, Value>& list, const GroupIndex& index,
                 const GroupArrays<Key, Value>& groups) {
  const uint64_t resident = resident_blocks(current_device_limits(), kJoinThreads, 0);
  const auto blocks =
      static_cast<unsigned>(std::min<uint64_t>(resident, list.room / kJoinThreads + 1));
  clear_index_kernel<<<blocks, kJoinThreads, 0, stream>>>(index, list.size);
  PRESORT_CUDA(cudaGetLastError());
  join_kernel<<<blocks, kJoinThreads, 0, stream>>>(list, index);
  PRESORT_CUDA(cudaGetLastError());
  append_joined_kernel<<<blocks, kJoinThreads, 0, stream>>>(list, index, groups);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
