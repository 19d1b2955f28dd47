// Reduces segments by one block for each, in one launch: for few values in segments that are long on
// average. Every warp takes consecutive values of the segment, row after row of 32 · kOfLane.
#pragma once

#include <cstdint>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/warp/scan.cuh"

namespace presort::inline v0::gpu {

// Limits for one block a segment: most values in all, least values of a segment on average. Up to these,
// one block reduces even a segment of all values faster than another launch and a look-back take.
inline constexpr uint64_t kMostReducedEach = uint64_t{1} << 17;
inline constexpr uint64_t kLeastReducedEach = 64;

inline bool reduces_each_segment(uint64_t n, uint64_t segments) {
  return n <= kMostReducedEach && segments > 0 && n / segments >= kLeastReducedEach;
}

// ⊙ of values [first, last) of an array, in every lane. Requires: all lanes of the warp call it
template <class Value, class M>
__device__ Value fold_values(const Value* values, uint64_t first, uint64_t last, const M& monoid) {
  constexpr int kOfLane = 4;
  constexpr uint64_t kRow = uint64_t{kOfLane} * kWarpLanes;
  Value sum = monoid.identity();
#pragma unroll 4
  for (uint64_t row = first; row < last; row += kRow) {
    const uint64_t own = row + threadIdx.x % kWarpLanes * kOfLane;
    Value value[kOfLane];
#pragma unroll
    for (int i = 0; i < kOfLane; ++i) {
      value[i] = own + i < last ? values[own + i] : monoid.identity();
    }
    Value of_lane = value[0];
#pragma unroll
    for (int i = 1; i < kOfLane; ++i) {
      of_lane = monoid(of_lane, value[i]);
    }
    if constexpr (M::is_commutative) {
      sum = monoid(sum, of_lane);
    } else {
      sum = monoid(sum, fold_lanes(of_lane, monoid));
    }
  }
  return M::is_commutative ? fold_lanes(sum, monoid) : sum;
}

template <int kWarps, class Value, class Offset, class M>
__global__ void __launch_bounds__(kWarps* kWarpLanes)
    reduce_each_segment_kernel(const Value* values, const Offset* offsets, Value* results,
                               const __grid_constant__ M monoid) {
  __shared__ alignas(16) unsigned char memory[kWarps * sizeof(Value)];
  auto* of_warp = reinterpret_cast<Value*>(memory);
  const auto first = static_cast<uint64_t>(offsets[blockIdx.x]);
  const auto last = static_cast<uint64_t>(offsets[blockIdx.x + 1]);
  const uint32_t warp = threadIdx.x / kWarpLanes;
  constexpr uint64_t kLeast = 4 * kWarpLanes;  // a row
  const uint64_t share = max(kLeast, ((last - first) / kWarps / kLeast + 1) * kLeast);
  const uint64_t own = first + warp * share;
  const Value sum = fold_values(values, own, min(own + share, last), monoid);
  if (threadIdx.x % kWarpLanes == 0) {
    of_warp[warp] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    Value all = of_warp[0];
    for (int w = 1; w < kWarps; ++w) {
      all = monoid(all, of_warp[w]);
    }
    results[blockIdx.x] = all;
  }
}

// Launches the kernel that reduces segment by segment. Requires: reduces_each_segment()
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Value, class Offset, class M>
void reduce_each_segment(cudaStream_t stream, const Value* values, uint64_t n,
                         const Offset* offsets, uint64_t segments, Value* results,
                         const M& monoid) {
  const auto launch = [&]<int kWarps>() {
    reduce_each_segment_kernel<kWarps>
        <<<static_cast<unsigned>(segments), kWarps * kWarpLanes, 0, stream>>>(values, offsets,
                                                                              results, monoid);
    PRESORT_CUDA(cudaGetLastError());
  };
  constexpr uint64_t kFew = uint64_t{1}
                            << 15;  // a segment of up to so many values is short for 8 warps
  if (n <= kFew) {
    launch.template operator()<8>();
  } else {
    launch.template operator()<16>();
  }
}

}  // namespace presort::gpu
