// Published multireduces for few buckets, written anew for warps of 32 lanes:
//   reduce_in_registers  an accumulator for each bucket and thread, in registers, every one of them
//                        updated by every input, with the value or with the identity; then reduced
//                        over the block (a vector reduction; Eilers 2014, §4.1)
//   shams_kennedy        a table of counters for each warp, for a range of kShamsBins bins. Lanes
//                        that write one counter at a time find out by a tag of the lane in its top
//                        bits, and try again. Each pass counts one range and skips other labels.
//                        The first algorithm of Shams and Kennedy 2007, "Efficient histogram
//                        algorithms for NVIDIA CUDA compatible devices"
#pragma once

#include <cstdint>

namespace presort::inline v0::gpu::bench {

inline constexpr int kAccumulatorThreads = 256;

// Reduces into accumulators in registers. Shapes: labels[n], values[n], aligned to 16, n a multiple
// of 4; buckets[kBuckets], added to
template <int kBuckets>
__global__ void __launch_bounds__(kAccumulatorThreads)
    reduce_in_registers(const uint4* labels, const uint4* values, uint64_t packs,
                        uint32_t* buckets) {
  constexpr int kPacks = 4;  // number of packs read before the first pack is used
  uint32_t sums[kBuckets] = {};
  const auto add = [&](uint32_t label, uint32_t value) {
#pragma unroll
    for (int k = 0; k < kBuckets; ++k) {
      sums[k] += label == static_cast<uint32_t>(k) ? value : 0;
    }
  };
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t at = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < packs;
       at += kPacks * threads) {
    uint4 label[kPacks];
    uint4 value[kPacks];
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const uint64_t pack = at + i * threads;
      label[i] = pack < packs ? labels[pack] : uint4{~0u, ~0u, ~0u, ~0u};
      value[i] = pack < packs ? values[pack] : uint4{};
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      add(label[i].x, value[i].x);
      add(label[i].y, value[i].y);
      add(label[i].z, value[i].z);
      add(label[i].w, value[i].w);
    }
  }
#pragma unroll
  for (int k = 0; k < kBuckets; ++k) {
    for (int lanes = 16; lanes > 0; lanes /= 2) {
      sums[k] += __shfl_xor_sync(0xffffffffu, sums[k], lanes);
    }
    if (threadIdx.x % 32 == 0) {
      atomicAdd(buckets + k, sums[k]);
    }
  }
}

inline constexpr int kShamsWarps = 4;  // number of warps of a block
inline constexpr uint32_t kShamsBins = 1024;

// One pass of Shams and Kennedy's histogram: bins [first, first + kShamsBins). Shapes: labels[n];
// counts[m], added to
static __global__ void __launch_bounds__(kShamsWarps * 32)
    shams_kennedy_pass(const uint32_t* labels, uint64_t n, uint32_t first, uint32_t* counts,
                       uint32_t m) {
  constexpr int kTagShift = 27;
  constexpr uint32_t kCount = (1u << kTagShift) - 1;
  __shared__ uint32_t tables[kShamsWarps][kShamsBins];
  for (uint32_t i = threadIdx.x; i < kShamsWarps * kShamsBins; i += blockDim.x) {
    (&tables[0][0])[i] = 0;
  }
  __syncthreads();
  volatile uint32_t* table = tables[threadIdx.x / 32];
  const uint32_t tag = (threadIdx.x % 32) << kTagShift;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t rounds = (n + threads - 1) / threads;
  uint64_t at = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (uint64_t round = 0; round < rounds; ++round, at += threads) {
    const uint32_t bin = at < n ? labels[at] - first : kShamsBins;
    bool is_left = bin < kShamsBins;
    while (__any_sync(0xffffffffu, is_left)) {
      const uint32_t count = is_left ? tag | ((table[bin] & kCount) + 1) : 0;
      __syncwarp();
      if (is_left) {
        table[bin] = count;
      }
      __syncwarp();
      is_left = is_left && table[bin] != count;
    }
  }
  __syncthreads();
  for (uint32_t bin = threadIdx.x; bin < kShamsBins && first + bin < m; bin += blockDim.x) {
    uint32_t sum = 0;
    for (int warp = 0; warp < kShamsWarps; ++warp) {
      sum += tables[warp][bin] & kCount;
    }
    atomicAdd(counts + first + bin, sum);
  }
}

}  // namespace presort::gpu::bench
