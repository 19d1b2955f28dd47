// counts[k] = counts[k] + the number of labels k, for labels of one byte. Every lane has counters
// of its own, in its own bank of shared memory, which the warps of a block share by atomics: such
// atomics never wait for a bank, so that no distribution of labels is faster or slower than
// another. They run at 32 lanes a cycle, those to random banks at 9 (one H200, 2026-11-22).
// Counters have 32 bits, so that none overflows on the way.
// Source: Nugteren et al. 2011 for tables by bank; Eilers 2014, §4.3.4 and §4.5.2, for several
//         threads at each table
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/shared_table.cuh"
#include "presort/gpu/block/walk_packs.cuh"
#include "presort/gpu/plan/labels/narrow_labels.h"

namespace presort::inline v0::gpu {

inline constexpr int kCountBytesThreads = 1024;

// Packs of 16 labels, each read by one instruction, that are loaded before the first is used: ns a
// label of 1, 2 and 4 packs 0.000285, 0.000236, 0.000225 (reading alone: 0.000222).
inline constexpr int kCountBytesPacks = 4;

// Counts the four labels of a word. Shapes: counters[256 · 32], offset to the lane's first
__device__ inline void count_word(uint32_t* counters, uint32_t word) {
#pragma unroll
  for (int byte = 0; byte < 4; ++byte) {
    atomicAdd(counters + ((word >> (8 * byte)) & 0xffu) * kWarpLanes, 1u);
  }
}

__device__ inline void count_pack(uint32_t* counters, const uint4& pack) {
  count_word(counters, pack.x);
  count_word(counters, pack.y);
  count_word(counters, pack.z);
  count_word(counters, pack.w);
}

// Kernel that counts labels of one byte. Requires: no counter of a lane reaches 2^32: n < 2^37 ·
// multiprocessors
template <class Count>
__global__ void __launch_bounds__(kCountBytesThreads)
    count_bytes_kernel(const uint8_t* labels, uint64_t n, Count* counts, uint32_t m) {
  extern __shared__ __align__(16) uint32_t table[];
  for (unsigned i = threadIdx.x; i < kByteLabels * kWarpLanes; i += blockDim.x) {
    table[i] = 0;
  }
  __syncthreads();
  uint32_t* counters = table + threadIdx.x % kWarpLanes;
  const auto take = [&](const uint4& pack) { count_pack(counters, pack); };
  walk_packs<kCountBytesPacks>(
      labels, n, take, take, [&](uint8_t label) { atomicAdd(counters + label * kWarpLanes, 1u); });
  __syncthreads();
  for (uint32_t label = threadIdx.x; label < min(m, uint32_t{kByteLabels}); label += blockDim.x) {
    Count count = 0;
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      // A lane's counters start at its number, so that lanes read different banks
      count += table[label * kWarpLanes + (label + lane) % kWarpLanes];
    }
    combine_one<true>(counts + label, count, Sum<Count>{});
  }
}

// Launches the kernel that counts labels of one byte. Requires: n >= 1; labels below m
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Count>
void count_bytes(cudaStream_t stream, const uint8_t* labels, uint64_t n, Count* counts,
                 uint64_t m) {
  const unsigned blocks = walking_blocks<kCountBytesPacks, uint8_t>(n, kCountBytesThreads);
  const auto bins = static_cast<uint32_t>(std::min<uint64_t>(m, kByteLabels));
  count_bytes_kernel<<<blocks, kCountBytesThreads, kCountBytesShared, stream>>>(labels, n, counts,
                                                                                bins);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
