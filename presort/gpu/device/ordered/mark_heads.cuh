// Makes packed heads from the offsets of segments: bit i % 32 of word i / 32 is set where a segment
// begins at value i, or the last one ends there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/device/ordered/look_back.cuh"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// Marks heads, by all threads of a launch. Lanes whose offsets are in one word put their bits
// together, so that there is an atomic for each word, and not for each offset.
// Requires: blocks of whole warps
template <class Offset>
__device__ void mark_heads_by_all(const Offset* offsets, uint64_t count, uint64_t n,
                                  uint32_t* words) {
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

template <class Offset>
__global__ void __launch_bounds__(256)
    mark_heads_kernel(const Offset* offsets, uint64_t count, uint64_t n, uint32_t* words) {
  mark_heads_by_all(offsets, count, n, words);
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

// Makes packed heads, one thread for each word of 32 bits: the thread searches for the first offset
// in its word. Also clears a look-back. No array has to be cleared first. A word of 32 segments
// behind each of which there are empty ones takes 32 searches.
template <class Offset>
__global__ void __launch_bounds__(256)
    make_heads_kernel(const Offset* offsets, uint64_t count, uint64_t n, uint32_t* words,
                      uint32_t* cleared, uint64_t cleared_count) {
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = thread; i < cleared_count; i += threads) {
    cleared[i] = 0;
  }
  // Number of the first offset, from offset number `first` on, that is at least `at`.
  const auto first_at = [&](uint64_t first, uint64_t at) {
    uint64_t last = count;
    while (first < last) {
      const uint64_t middle = first + (last - first) / 2;
      if (static_cast<uint64_t>(offsets[middle]) < at) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  };
  for (uint64_t word = thread; word * 32 < n; word += threads) {
    const uint64_t last = min(word * 32 + 32, n);
    uint32_t bits = 0;
    uint64_t k = first_at(0, word * 32);
    while (k < count) {
      const auto at = static_cast<uint64_t>(offsets[k]);
      if (at >= last) {
        break;
      }
      bits |= 1u << at % 32;
      ++k;
      if (k < count && static_cast<uint64_t>(offsets[k]) == at) {
        k = first_at(k, at + 1);
      }
    }
    words[word] = bits;
  }
}

// Most values of an array whose head bits are made word by word, in one launch.
inline constexpr uint64_t kMostMadeByWords = uint64_t{1} << 21;

// Makes packed heads, and clears the look-back of what follows: few values in one launch, more in
// two. Requires: count >= 1; words[(n + 31) / 32], with which the look-back is cleared
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Offset, class Value>
void make_heads(cudaStream_t stream, const Offset* offsets, uint64_t count, uint64_t n,
                uint32_t* words, const LookBack<Value>& look_back) {
  constexpr int kThreads = 256;
  if (n > kMostMadeByWords || count > n) {
    look_back.clear(stream);
    return mark_heads(stream, offsets, count, n, words);
  }
  const auto cleared = look_back.words();
  const uint64_t useful = std::max((n + 31) / 32, cleared.count);
  make_heads_kernel<<<static_cast<unsigned>((useful + kThreads - 1) / kThreads), kThreads, 0,
                      stream>>>(offsets, count, n, words, cleared.first, cleared.count);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
