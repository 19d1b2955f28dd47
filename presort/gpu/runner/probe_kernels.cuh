// Kernels that measure a GPU's ceilings: each does one thing as often as it can. All addresses come
// from data or hashes, so that nothing is merged or left out by the compiler.
#pragma once

#include <cstdint>

#include "presort/core/monoid.h"
#include "presort/gpu/block/shared_table.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/device/update_parts.cuh"

namespace presort::inline v0::gpu::ceilings {

inline constexpr int kThreads = 256;
inline constexpr int kTableThreads = 1024;

__device__ inline uint64_t thread_index() {
  return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline uint64_t thread_count() {
  return static_cast<uint64_t>(gridDim.x) * blockDim.x;
}

__host__ __device__ inline uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// Sets words[i] to a random number below `below`.
__global__ void fill_random(uint32_t* words, uint64_t count, uint32_t below) {
  for (uint64_t i = thread_index(); i < count; i += thread_count()) {
    words[i] = __umulhi(mix(static_cast<uint32_t>(i)), below);
  }
}

// Reads all 16-byte packs of an array `rounds` times, past the L1. The sum is stored only if it is
// not zero, so that the reads are not optimised away.
__global__ void __launch_bounds__(kThreads)
    read_all(const uint4* packs, uint64_t count, int rounds, uint32_t* sink) {
  constexpr int kAhead = 4;
  uint32_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const uint64_t step = thread_count() * kAhead;
    for (uint64_t first = thread_index(); first < count; first += step) {
      uint4 pack[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        const uint64_t at = first + i * thread_count();
        pack[i] = __ldcg(packs + (at < count ? at : first));
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        sum += pack[i].x ^ pack[i].y ^ pack[i].z ^ pack[i].w;
      }
    }
  }
  if (sum == 0x12345678u) {
    *sink = sum;
  }
}

__global__ void __launch_bounds__(kThreads) copy_all(const uint4* from, uint4* to, uint64_t count) {
  constexpr int kAhead = 4;
  const uint64_t step = thread_count() * kAhead;
  for (uint64_t first = thread_index(); first < count; first += step) {
    uint4 pack[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const uint64_t at = first + i * thread_count();
      pack[i] = from[at < count ? at : first];
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const uint64_t at = first + i * thread_count();
      if (at < count) {
        to[at] = pack[i];
      }
    }
  }
}

// Adds 1 to random words of device memory by atomics. Requires: words a power of two
template <class Word>
__global__ void __launch_bounds__(kThreads)
    add_at_random(Word* table, uint32_t words, uint64_t count) {
  for (uint64_t i = thread_index(); i < count; i += thread_count()) {
    atomicAdd(table + (mix(static_cast<uint32_t>(i)) & (words - 1)), Word{1});
  }
}

// Adds 1 to the first word by one atomic in `one_in` at random, by the others to random words.
// Requires: words a power of two
__global__ void __launch_bounds__(kThreads)
    add_beside_one(uint32_t* table, uint32_t words, uint64_t count, uint32_t one_in) {
  for (uint64_t i = thread_index(); i < count; i += thread_count()) {
    const uint32_t random = mix(static_cast<uint32_t>(i));
    const bool is_one = __umulhi(mix(random + 1), one_in) == 0;
    atomicAdd(table + (is_one ? 0 : random & (words - 1)), 1u);
  }
}

// Reads random words of device memory. Requires: words a power of two
__global__ void __launch_bounds__(kThreads)
    read_at_random(const uint32_t* table, uint32_t words, uint64_t count, uint32_t* sink) {
  constexpr int kAhead = 4;
  uint32_t sum = 0;
  const uint64_t step = thread_count() * kAhead;
  for (uint64_t first = thread_index(); first < count; first += step) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const auto at = static_cast<uint32_t>(first + i * thread_count());
      sum += __ldcg(table + (mix(at) & (words - 1)));
    }
  }
  if (sum == 0x12345678u) {
    *sink = sum;
  }
}

// Number of words of a block's table: as many as a partition has digits, at most
inline constexpr uint32_t kSharedWords = 2048;

// Uses random words of shared memory: atomics that return the old value, or reads.
template <bool kAdds>
__global__ void __launch_bounds__(kTableThreads) use_shared(int rounds, uint32_t* sink) {
  __shared__ uint32_t table[kSharedWords];
  for (uint32_t i = threadIdx.x; i < kSharedWords; i += blockDim.x) {
    table[i] = mix(i);
  }
  __syncthreads();
  uint32_t at = mix(static_cast<uint32_t>(thread_index()));
  uint32_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll 8
    for (int i = 0; i < 8; ++i) {
      at = at * 1664525u + 1013904223u;
      uint32_t* word = table + (at >> 21);  // a digit: the top 11 bits of a hash
      sum += kAdds ? atomicAdd(word, 1u) : *static_cast<volatile uint32_t*>(word);
    }
  }
  if (sum == 0x12345678u) {
    *sink = sum;
  }
}
static_assert(kSharedWords == 1u << 11);

// Updates tables with labels from the L2. Every block goes through all labels, each starting
// elsewhere, and has a shared-memory table of the lowest buckets.
// Shapes:   labels[count].
// Requires: count a multiple of 4 · blocks
template <class Value>
__global__ void __launch_bounds__(kTableThreads)
    update_tables(const uint32_t* labels, uint64_t count, uint32_t buckets, int rounds,
                  uint32_t* sink) {
  extern __shared__ __align__(16) unsigned char shared[];
  SharedTable<Value, Sum<Value>> table(reinterpret_cast<Value*>(shared), buckets, 0, Sum<Value>{});
  table.fill();
  __syncthreads();
  const CountedInput<uint32_t, Value> input{labels};
  const uint64_t begin = count / gridDim.x * blockIdx.x;
  for (int round = 0; round < rounds; ++round) {
    update_table<4, 2>(input, begin, count, 0, table);
    update_table<4, 2>(input, 0, begin, 0, table);
  }
  __syncthreads();
  if (reinterpret_cast<uint32_t*>(shared)[threadIdx.x] == 0x12345678u) {
    *sink = 1;
  }
}

inline constexpr uint32_t kLineWords = 32;  // number of words of a line of the L2

// Writes to the first word of each line of an array the place of another line's, in words: a cycle
// through all lines whose order no prefetcher knows. Requires: lines a power of two, at least 4
__global__ void link_lines(uint32_t* words, uint32_t lines) {
  for (uint64_t i = thread_index(); i < lines; i += thread_count()) {
    const auto next = (static_cast<uint32_t>(i) * 1664525u + 1013904223u) % lines;
    words[i * kLineWords] = next * kLineWords;
  }
}

// Follows such a cycle for `hops` reads past the L1, each of which waits for the one before.
__global__ void follow_lines(const uint32_t* words, uint32_t hops, uint32_t* sink) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < hops; ++i) {
    at = __ldcg(words + at);
  }
  *sink = at;
}

// Follows a cycle of 1024 words in shared memory, by one warp. Lanes never meet in a bank.
__global__ void follow_shared(uint32_t hops, uint32_t* sink) {
  constexpr uint32_t kWords = 1024;
  __shared__ uint32_t next[kWords];
  for (uint32_t i = threadIdx.x; i < kWords; i += blockDim.x) {
    next[i] = (i + 33) % kWords;
  }
  __syncthreads();
  uint32_t at = threadIdx.x;
  for (uint32_t i = 0; i < hops; ++i) {
    at = static_cast<volatile uint32_t*>(next)[at];
  }
  if (at == 0x12345678u) {
    *sink = at;
  }
}

__global__ void do_nothing() {}

// Reads and writes a word for each thread: the least that a kernel of a plan does.
__global__ void copy_word(const uint32_t* from, uint32_t* to) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void wait_cycles(long long cycles) {
  const long long first = clock64();
  while (clock64() - first < cycles) {
  }
}

}  // namespace presort::gpu::ceilings
