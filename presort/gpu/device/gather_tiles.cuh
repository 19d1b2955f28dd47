// results[i] = buckets[labels[i]], a tile of inputs for each block. Blocks come and go as
// multiprocessors are done; a grid that is there once ends when the slowest does. Labels and
// results, which are used once, are the first to leave the caches. Measured, u32 + u32, n = 2^28,
// ns a read, and with such a grid: 2^18, 2^20 and 2^22 buckets 0.00654, 0.00694 and 0.00702, and
// 0.00659, 0.00699 and 0.00711; 2^23 and 2^24 buckets, which nearly fit the L2, 0.00887 and
// 0.01435, and 0.00947 and 0.01484 (one H200, 2026-11-22). Two packs for a thread, or one, four or
// eight single labels, are the same within 1 % from 2^18 buckets on. Reading buckets past the L1
// takes 0.00695 for 2^18, keeping them longest in the L2 0.0157 for 2^24.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// The type of word by which data of a given alignment is moved.
template <size_t kAlignment>
using WordOfAlignment = std::conditional_t<
    kAlignment % 16 == 0, uint4,
    std::conditional_t<kAlignment % 8 == 0, uint2,
                       std::conditional_t<kAlignment % 4 == 0, unsigned int,
                                          std::conditional_t<kAlignment % 2 == 0, unsigned short,
                                                             unsigned char>>>>;

// Loads and stores past the caches, for data that is used once.
template <class T>
__device__ T load_once(const T* from) {
  using Word = WordOfAlignment<alignof(T)>;
  constexpr int kWords = sizeof(T) / sizeof(Word);
  Word words[kWords];
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    words[i] = __ldcs(reinterpret_cast<const Word*>(from) + i);
  }
  T value;
  memcpy(&value, words, sizeof value);
  return value;
}

template <class T>
__device__ void store_once(T* to, const T& value) {
  using Word = WordOfAlignment<alignof(T)>;
  constexpr int kWords = sizeof(T) / sizeof(Word);
  Word words[kWords];
  memcpy(words, &value, sizeof value);
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    __stcs(reinterpret_cast<Word*>(to) + i, words[i]);
  }
}

inline constexpr int kGatherThreads = 256;

// Kernel that gathers one tile a block, one pack of labels a thread; the last tile may have fewer
// labels.
template <int kPack, class Label, class Value>
__global__ void __launch_bounds__(kGatherThreads)
    gather_tiles_kernel(const Label* labels, uint64_t n, const Value* buckets, Value* results) {
  constexpr uint32_t kTile = kGatherThreads * kPack;
  const uint64_t begin = blockIdx.x * uint64_t{kTile};
  if (begin + kTile <= n) {
    const auto* from = reinterpret_cast<const Pack<Label, kPack>*>(labels + begin);
    auto* to = reinterpret_cast<Pack<Value, kPack>*>(results + begin);
    const auto label = load_once(from + threadIdx.x);
    Pack<Value, kPack> value;
#pragma unroll
    for (int i = 0; i < kPack; ++i) {
      value.items[i] = buckets[label.items[i]];
    }
    store_once(to + threadIdx.x, value);
  } else {
    for (uint64_t i = begin + threadIdx.x; i < n; i += kGatherThreads) {
      results[i] = buckets[labels[i]];
    }
  }
}

// Most labels of gather_few, about as many as an H100 has threads. A thread has one: by packs some
// multiprocessors would have none. There is as little code as possible, which a launch loads anew.
inline constexpr uint64_t kMostLabelsOfFew = uint64_t{1} << 20;

template <class Label, class Value>
__global__ void __launch_bounds__(kGatherThreads)
    gather_few_kernel(const Label* labels, uint32_t n, const Value* buckets, Value* results) {
  const uint32_t i = blockIdx.x * kGatherThreads + threadIdx.x;
  if (i < n) {
    results[i] = buckets[labels[i]];
  }
}

// Launches the gather of few labels. Requires: 1 <= n <= kMostLabelsOfFew; labels below the number
// of buckets
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Label, class Value>
void gather_few(cudaStream_t stream, const Label* labels, uint64_t n, const Value* buckets,
                Value* results) {
  const auto blocks = static_cast<unsigned>((n + kGatherThreads - 1) / kGatherThreads);
  gather_few_kernel<<<blocks, kGatherThreads, 0, stream>>>(labels, static_cast<uint32_t>(n),
                                                           buckets, results);
  PRESORT_CUDA(cudaGetLastError());
}

// Launches the gather by tiles. Requires: n >= 1; labels below the number of buckets
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Label, class Value>
void gather_tiles(cudaStream_t stream, const Label* labels, uint64_t n, const Value* buckets,
                  Value* results) {
  const auto launch = [&]<int kPack>(std::integral_constant<int, kPack>) {
    constexpr uint64_t kTile = uint64_t{kGatherThreads} * kPack;
    gather_tiles_kernel<kPack>
        <<<static_cast<unsigned>((n + kTile - 1) / kTile), kGatherThreads, 0, stream>>>(
            labels, n, buckets, results);
    PRESORT_CUDA(cudaGetLastError());
  };
  constexpr int kWidePack = 4;
  if (is_aligned_for_packs<Label, kWidePack>(labels) &&
      is_aligned_for_packs<Value, kWidePack>(results)) {
    launch(std::integral_constant<int, kWidePack>{});
  } else {
    launch(std::integral_constant<int, 1>{});
  }
}

}  // namespace presort::gpu
