// results[i] = buckets[labels[i]] where each block keeps the first buckets in shared memory, as
// many as fit, and reads the others through the L2. For tables that are somewhat larger than what a
// multiprocessor's L1 holds: 2^16 buckets of u32 take 0.0026 ns a read instead of 0.0042 through L1
// and L2, 2^17 buckets 0.0056 instead of 0.0064 (one H200, 2026-11-22).
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

inline constexpr int kGatherKeptThreads = 1024;

template <int kPack, int kPacks, class Label, class Value>
__global__ void __launch_bounds__(kGatherKeptThreads)
    gather_kept_kernel(const Label* labels, uint64_t n, const Value* buckets, uint32_t kept_count,
                       Value* results) {
  extern __shared__ __align__(16) unsigned char shared[];
  auto* kept = reinterpret_cast<Value*>(shared);
  for (uint32_t k = threadIdx.x; k < kept_count; k += blockDim.x) {
    kept[k] = buckets[k];
  }
  __syncthreads();
  const auto read = [&](Label label) {
    return label < kept_count ? kept[static_cast<uint32_t>(label)] : buckets[label];
  };
  const uint64_t tile = static_cast<uint64_t>(blockDim.x) * kPack * kPacks;
  const uint64_t tiles = n / tile;
  for (uint64_t at = blockIdx.x; at < tiles; at += gridDim.x) {
    Label label[kPacks][kPack];
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      load_pack(labels + at * tile + (i * blockDim.x + threadIdx.x) * kPack, label[i]);
    }
    Pack<Value, kPack> pack[kPacks];
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        pack[i].items[j] = read(label[i][j]);
      }
    }
#pragma unroll
    for (int i = 0; i < kPacks; ++i) {
      const uint64_t first = at * tile + (i * blockDim.x + threadIdx.x) * kPack;
      *reinterpret_cast<Pack<Value, kPack>*>(results + first) = pack[i];
    }
  }
  if (blockIdx.x == tiles % gridDim.x) {
    for (uint64_t i = tiles * tile + threadIdx.x; i < n; i += blockDim.x) {
      results[i] = read(labels[i]);
    }
  }
}

// Launches the gather that keeps buckets in shared memory. Requires: n >= 1; labels below the
// number of buckets; kept >= 1 buckets fit a block
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Label, class Value>
void gather_kept(cudaStream_t stream, const Label* labels, uint64_t n, const Value* buckets,
                 uint32_t kept, Value* results) {
  const DeviceLimits device = current_device_limits();
  const size_t shared_bytes = kept * sizeof(Value);
  const auto launch = [&]<int kPack, int kPacks>(std::integral_constant<int, kPack>,
                                                 std::integral_constant<int, kPacks>) {
    const auto kernel = gather_kept_kernel<kPack, kPacks, Label, Value>;
    allow_shared_bytes(kernel, shared_bytes);
    kernel<<<static_cast<unsigned>(device.multiprocessors), kGatherKeptThreads, shared_bytes,
             stream>>>(labels, n, buckets, kept, results);
    PRESORT_CUDA(cudaGetLastError());
  };
  constexpr int kWidePack = sizeof(Label) <= 4 ? 4 : 2;
  constexpr int kPacks = sizeof(Label) + sizeof(Value) <= 8 ? 4 : 2;
  if (is_aligned_for_packs<Label, kWidePack>(labels) &&
      is_aligned_for_packs<Value, kWidePack>(results)) {
    launch(std::integral_constant<int, kWidePack>{}, std::integral_constant<int, kPacks>{});
  } else {
    launch(std::integral_constant<int, 1>{}, std::integral_constant<int, 4>{});
  }
}

}  // namespace presort::gpu
