// counts[k] = counts[k] + the number of labels k, of labels of one byte. Every lane has counters of
// its own, in its own bank of shared memory, which the warps of a block share by atomics: such
// atomics never wait for a bank, so that no distribution of labels is faster or slower than
// another. They run at 32 lanes a cycle, those to random banks at 9 (one H200, 2026-11-22). Source:
// tables by bank are Nugteren et al. 2011, several threads at each the thesis' (Eilers 2014,
// §4.3.4, §4.5.2); counters of 32 bits need no accumulation on the way.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/block/shared_table.cuh"
#include "gpu/device_limits.h"

namespace presort::gpu {

inline constexpr int kByteLabels = 256;
inline constexpr int kCountBytesThreads = 1024;
inline constexpr size_t kCountBytesShared = sizeof(uint32_t) * kByteLabels * kWarpLanes;

// Labels of 16 bytes each are read by one instruction, kPacks of them before the first is used:
// ns a label of 1, 2 and 4 packs 0.000285, 0.000236, 0.000225 (reading alone: 0.000222).
inline constexpr int kCountBytesPacks = 4;

// Counts the four labels of a word. Shapes: counters[256 · 32], from the lane's own on
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

// Requires: no counter of a lane reaches 2^32: n < 2^37 · multiprocessors
template <class Count>
__global__ void __launch_bounds__(kCountBytesThreads)
    count_bytes_kernel(const uint8_t* labels, uint64_t n, Count* counts, uint32_t m) {
  extern __shared__ __align__(16) uint32_t table[];
  for (unsigned i = threadIdx.x; i < kByteLabels * kWarpLanes; i += blockDim.x) {
    table[i] = 0;
  }
  __syncthreads();
  uint32_t* counters = table + threadIdx.x % kWarpLanes;
  // What lies before and behind whole packs is less than a pack each.
  const uint64_t to_pack = (16 - reinterpret_cast<uintptr_t>(labels) % 16) % 16;
  const uint64_t before = min(to_pack, n);
  const auto* packs = reinterpret_cast<const uint4*>(labels + before);
  const uint64_t pack_count = (n - before) / 16;
  const uint64_t tile = static_cast<uint64_t>(blockDim.x) * kCountBytesPacks;
  const uint64_t tiles = pack_count / tile;
  for (uint64_t at = blockIdx.x; at < tiles; at += gridDim.x) {
    uint4 pack[kCountBytesPacks];
#pragma unroll
    for (int i = 0; i < kCountBytesPacks; ++i) {
      pack[i] = packs[at * tile + i * blockDim.x + threadIdx.x];
    }
#pragma unroll
    for (int i = 0; i < kCountBytesPacks; ++i) {
      count_pack(counters, pack[i]);
    }
  }
  if (blockIdx.x == tiles % gridDim.x) {
    for (uint64_t i = tiles * tile + threadIdx.x; i < pack_count; i += blockDim.x) {
      count_pack(counters, packs[i]);
    }
    const uint64_t behind = before + pack_count * 16;
    if (threadIdx.x < before) {
      atomicAdd(counters + labels[threadIdx.x] * kWarpLanes, 1u);
    }
    if (behind + threadIdx.x < n) {
      atomicAdd(counters + labels[behind + threadIdx.x] * kWarpLanes, 1u);
    }
  }
  __syncthreads();
  for (uint32_t label = threadIdx.x; label < min(m, uint32_t{kByteLabels}); label += blockDim.x) {
    Count count = 0;
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      count += table[label * kWarpLanes + (label + lane) % kWarpLanes];  // each thread another bank
    }
    combine_one<true>(counts + label, count, Sum<Count>{});
  }
}

// Requires: n >= 1; labels below m
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Count>
void count_bytes(cudaStream_t stream, const uint8_t* labels, uint64_t n, Count* counts,
                 uint64_t m) {
  const DeviceLimits device = current_device_limits();
  constexpr uint64_t kTileBytes = uint64_t{16} * kCountBytesThreads * kCountBytesPacks;
  const uint64_t blocks = std::min<uint64_t>(device.multiprocessors, n / kTileBytes + 1);
  const auto bins = static_cast<uint32_t>(std::min<uint64_t>(m, kByteLabels));
  count_bytes_kernel<<<static_cast<unsigned>(blocks), kCountBytesThreads, kCountBytesShared,
                       stream>>>(labels, n, counts, bins);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
