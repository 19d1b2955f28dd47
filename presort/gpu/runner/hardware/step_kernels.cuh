// Kernels that measure the parts of a GPU: each makes one pattern of accesses as often as it can.
#pragma once

#include <cstdint>

#include "presort/gpu/runner/hardware/in_order.cuh"

namespace presort::inline v0::gpu::steps {

// A load past the L1 that stays where it is written: between two looks at the clock.
__device__ inline uint32_t load_in_order(const uint32_t* from) {
  uint32_t value = 0;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

// Follows a cycle of `count` words in shared memory. Requires: one block; count a power of two, at
// most 4096
__global__ void chase_shared(uint32_t count, uint64_t steps, uint64_t* cycles) {
  __shared__ uint32_t words[4096];
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    words[i] = (i * 1664525u + 1013904223u) & (count - 1);
  }
  __syncthreads();
  if (threadIdx.x > 0) {
    return;
  }
  uint32_t at = 0;
  const long long begin = clock_in_order();
  for (uint64_t i = 0; i < steps; ++i) {
    at = static_cast<volatile uint32_t*>(words)[at];
  }
  const long long end = clock_in_order();
  *cycles = static_cast<uint64_t>(end - begin) + (at == count ? 1 : 0);  // never equal
}

// Every block reads one line `steps` times, each load waiting for the one before.
// cycles[block]: clock cycles; sm[block]: number of its multiprocessor
__global__ void read_one_line(const uint32_t* line, int steps, uint64_t* cycles, uint32_t* sm) {
  uint32_t at = 0;
  for (int i = 0; i < 2; ++i) {
    const long long begin = clock_in_order();
    for (int step = 0; step < steps; ++step) {
      at = load_in_order(line + at);  // the line holds zeros
    }
    const long long end = clock_in_order();
    cycles[blockIdx.x] = static_cast<uint64_t>(end - begin) + at;
  }
  uint32_t number = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(number));
  sm[blockIdx.x] = number;
}

enum class Update { add, store };

// All warps update the same words again and again: lane i updates word (i mod words) · stride of
// the array. Requires: 1 <= words <= 32; stride in words
template <Update kUpdate, class Word = uint32_t>
__global__ void __launch_bounds__(kThreads)
    update_words(Word* array, uint32_t words, uint32_t stride, uint32_t rounds) {
  Word* const word = array + static_cast<uint64_t>(threadIdx.x % 32 % words) * stride;
  for (uint32_t i = 0; i < rounds; ++i) {
    if constexpr (kUpdate == Update::add) {
      atomicAdd(word, Word{1});
    } else {
      __stcg(word, i);
    }
  }
}

// Lanes update words at random of an array; a hash of the thread and the round chooses them. Of 1024
// updates `alike` go to the first word instead.
// Requires: words a power of two
template <Update kUpdate>
__global__ void __launch_bounds__(kThreads)
    update_at_random(uint32_t* array, uint32_t words, uint32_t rounds, uint32_t alike = 0) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint32_t i = 0; i < rounds; ++i) {
    uint32_t x = thread * 0x9e3779b1u + i * 0x85ebca6bu;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    if constexpr (kUpdate == Update::add) {
      const uint32_t at = (x * 0x2545f491u) >> 22 < alike ? 0 : x & (words - 1);
      atomicAdd(array + at, 1u);
    } else {
      __stcg(array + (x & (words - 1)), i);
    }
  }
}

// Adds at random places, as update_at_random does, and notes times of the device's clock, ns:
// *begin when the first block begins, ends[block] when a block is done.
__global__ void __launch_bounds__(kThreads)
    race_at_random(uint32_t* array, uint32_t words, uint32_t rounds, unsigned long long* begin,
                   unsigned long long* ends) {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (threadIdx.x == 0) {
    atomicMin(begin, now);
  }
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < rounds; ++i) {
    uint32_t x = (thread * 0x9e3779b1u + i * 0x85ebca6bu) ^ (thread >> 7);
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    atomicAdd(array + (x & (words - 1)), 1u);
    if (i % 4 == 3) {  // as a kernel that reads inputs before it updates by them
      sum += __ldcg(array + ((x * 0x2545f491u) & (words - 1)));
    }
  }
  __syncthreads();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (threadIdx.x == 0) {
    ends[blockIdx.x] = now + (sum == 0x12345678u ? 1 : 0);
  }
}

enum class Shared { load, add, swap };

// Each warp accesses shared memory `rounds` times, lane i the word i · stride: stride 0 is one word
// for all lanes, 32 one bank.
template <Shared kAccess>
__global__ void __launch_bounds__(kThreads)
    access_banks(uint32_t stride, uint32_t rounds, uint32_t* sink) {
  __shared__ uint32_t words[32 * 32];
  for (uint32_t i = threadIdx.x; i < 32 * 32; i += blockDim.x) {
    words[i] = 0;
  }
  __syncthreads();
  volatile uint32_t* const word = words + threadIdx.x % 32 * stride;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < rounds; ++i) {
    if constexpr (kAccess == Shared::load) {
      sum += *word;
    } else if constexpr (kAccess == Shared::add) {
      atomicAdd(const_cast<uint32_t*>(word), 1u);
    } else {
      sum += atomicCAS(const_cast<uint32_t*>(word), i, i + 1);
    }
  }
  if (sum == 0x12345678u) {
    *sink = sum;
  }
}

// Blocks read an array again and again, each from a start of its own, 16 bytes a lane, past the L1.
// Requires: packs a multiple of 1024
__global__ void __launch_bounds__(1024)
    read_again(const uint4* array, uint64_t packs, uint32_t rounds, uint32_t* sink) {
  constexpr uint32_t kAhead = 4;
  uint32_t sum = 0;
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t first = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (uint32_t i = 0; i < rounds; i += kAhead) {
    uint4 pack[kAhead];
#pragma unroll
    for (uint32_t j = 0; j < kAhead; ++j) {
      pack[j] = __ldcg(array + (first + (i + j) * step) % packs);
    }
#pragma unroll
    for (uint32_t j = 0; j < kAhead; ++j) {
      sum += pack[j].x ^ pack[j].y ^ pack[j].z ^ pack[j].w;
    }
  }
  if (sum == 0x12345678u) {
    *sink = sum;
  }
}

}  // namespace presort::gpu::steps
