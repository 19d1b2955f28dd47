// buckets[k] = buckets[k] ⊙ the values of label k, for the inputs that a partition left out, marked
// by digit and tile: inputs without room (few, unless the sample that made room was far off), and
// inputs of tiles whose labels are in order. Updates by atomics, one for each run of equal labels
// in a warp. Also finds where the partition's parts end.
// Requires: ⊙ commutes
#pragma once

#include <cstdint>

#include "presort/gpu/detail/atomic_combine.cuh"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/device/partition/rooms.cuh"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/warp/scan.cuh"

namespace presort::inline v0::gpu {

// Buckets of all labels, in one array.
template <class Value>
struct OneArray {
  Value* buckets;

  __device__ bool has(uint64_t) const { return true; }
  __device__ Value* of(uint64_t label) const { return buckets + label; }
};

// Combines the values of active lanes with their buckets; consecutive lanes with equal labels share
// one atomic. `buckets` is a OneArray, or another type with its functions.
// Requires: all lanes call it; ⊙ commutes; the buckets have the labels of active lanes
template <class Buckets, class Label, class Value, class M>
__device__ void combine_runs_atomically(const Buckets& buckets, Label label, Value value,
                                        bool counts, const M& monoid) {
  const unsigned counted = __ballot_sync(kAllLanes, counts);
  const unsigned lane = threadIdx.x % kWarpLanes;
  const Label before = __shfl_up_sync(kAllLanes, label, 1);
  const bool follows = counts && lane > 0 && (counted >> (lane - 1) & 1u) != 0 && before == label;
  const unsigned heads = __ballot_sync(kAllLanes, !follows);
  if (heads != kAllLanes) {
    value = scan_lanes(value, heads, monoid);
    counts = counts && (lane == kWarpLanes - 1 || (heads >> (lane + 1) & 1u) != 0);
  }
  if (counts) {
    combine_atomically(buckets.of(label), value, monoid);
  }
}

// The kernel that updates those buckets of left-out inputs that `buckets` has. Shapes:
// ends[digits]: index behind the last pair of each part
template <class Input, class Buckets, class M>
__global__ void __launch_bounds__(512)
    update_left_out_kernel(Input input, uint64_t n, uint32_t tile_inputs, PartitionRooms rooms,
                           uint64_t* ends, Buckets buckets, Digit digit, M monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  if (blockIdx.x == 0) {
    for (uint32_t d = threadIdx.x; d < digit.count(); d += blockDim.x) {
      ends[d] = min(rooms.cursors[d], rooms.fills[d]);
    }
  }
  if (*rooms.left_out == 0) {
    return;
  }
  const uint32_t words = mark_words(digit.count());
  const uint64_t tiles = (n + tile_inputs - 1) / tile_inputs;
  for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint32_t* marks = rooms.marks + tile * words;
    bool is_any = false;
    for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) {
      is_any |= marks[i] != 0;
    }
    if (!__syncthreads_or(is_any)) {
      continue;
    }
    const uint64_t first = tile * tile_inputs;
    const uint64_t last = min(first + tile_inputs, n);
    for (uint64_t row = first; row < last; row += blockDim.x) {
      const uint64_t i = row + threadIdx.x;
      Label label[1] = {};
      Value value[1] = {monoid.identity()};
      bool counts = false;
      if (i < last) {
        input.template load<1>(i, label, value);
        const uint32_t d = digit.of(label[0]);
        counts = (marks[d / 32] >> d % 32 & 1) != 0 && buckets.has(label[0]);
      }
      combine_runs_atomically(buckets, label[0], value[0], counts, monoid);
    }
  }
}

// Launches the kernel that updates with left-out inputs. Errors: EnvironmentError when CUDA refuses
// the launch
template <class Input, class Buckets, class M>
void update_left_out(cudaStream_t stream, const Input& input, uint64_t n, uint32_t tile_inputs,
                     const PartitionRooms& rooms, uint64_t* ends, const Buckets& buckets,
                     Digit digit, const M& monoid) {
  constexpr int kThreads = 512;
  const int blocks = resident_blocks(current_device_limits(), kThreads, 0);
  update_left_out_kernel<<<blocks, kThreads, 0, stream>>>(input, n, tile_inputs, rooms, ends,
                                                          buckets, digit, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
