// Makes packed heads from the offsets of segments: bit i % 32 of word i / 32 is set where a segment
// begins at value i, or the last one ends there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Marks heads. Lanes whose offsets are in one word put their bits together, so that there is an
// atomic for each word, and not for each offset.
template <class Offset>
__global__ void __launch_bounds__(256)
    mark_heads_kernel(const Offset* offsets, uint64_t count, uint64_t n, uint32_t* words) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const unsigned lane = threadIdx.x % kWarpLanes;
  for (uint64_t first = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x - lane;
       first < count; first += threads) {
    const uint64_t own = first + lane;
    const uint64_t at = own < count ? static_cast<uint64_t>(offsets[own]) : n;
    const uint64_t word = at / 32;
    uint32_t bits = at < n ? 1u << at % 32 : 0;
#pragma unroll
    for (int lanes = 1; lanes < kWarpLanes; lanes *= 2) {
      const uint32_t earlier_bits = __shfl_up_sync(kAllLanes, bits, lanes);
      const uint64_t earlier_word = __shfl_up_sync(kAllLanes, word, lanes);
      if (static_cast<int>(lane) >= lanes && earlier_word == word) {
        bits |= earlier_bits;
      }
    }
    const uint64_t later_word = __shfl_down_sync(kAllLanes, word, 1);
    if (bits != 0 && (lane == kWarpLanes - 1 || later_word != word)) {
      atomicOr(words + word, bits);
    }
  }
}

// Launches the kernel that makes packed heads. Requires: count >= 1; words[(n + 31) / 32], cleared
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Offset>
void mark_heads(cudaStream_t stream, const Offset* offsets, uint64_t count, uint64_t n,
                uint32_t* words) {
  constexpr int kThreads = 256;
  const auto blocks = std::min<uint64_t>(resident_blocks(current_device_limits(), kThreads, 0),
                                         count / kThreads + 1);
  mark_heads_kernel<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(offsets, count, n,
                                                                            words);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
