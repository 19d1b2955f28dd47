// Kernels that measure latencies and the reach of translation: chains of loads that wait for each
// other, and loads at random places of a large array.
#pragma once

#include <cstdint>

#include "presort/gpu/runner/hardware/in_order.cuh"

namespace presort::inline v0::gpu::steps {

inline constexpr uint64_t kWordsOfLine = 32;

// Places of a chain: one line of each `stride` lines; which one differs from stride to stride.
__host__ __device__ inline uint64_t place_of_chain(uint64_t i, uint64_t stride) {
  return i * stride + i * 131 % stride;
}

// Writes to the first word of each line of a chain the number of the line that is `step` places
// further. Requires: step < count, both without a common divisor; the last line's number fits 32
// bits
__global__ void link_chain(uint32_t* words, uint64_t count, uint64_t stride, uint64_t step) {
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    words[place_of_chain(i, stride) * kWordsOfLine] =
        static_cast<uint32_t>(place_of_chain((i + step) % count, stride));
  }
}

// Follows a chain for `warm_up` loads, then for `hops` loads that are timed. Through the L1 or past
// it. cycles[0]: clock cycles of the timed loads; cycles[1]: number of the last line
template <bool kPastL1>
__global__ void follow_chain(const uint32_t* words, uint64_t warm_up, uint64_t hops,
                             uint64_t* cycles) {
  uint64_t at = 0;
  const auto next = [&] {
    uint32_t value = 0;
    const uint32_t* const from = words + at * kWordsOfLine;
    if constexpr (kPastL1) {
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    } else {
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    }
    at = value;
  };
  for (uint64_t i = 0; i < warm_up; ++i) {
    next();
  }
  const long long begin = clock_in_order();
  for (uint64_t i = 0; i < hops; ++i) {
    next();
  }
  const long long end = clock_in_order();
  cycles[0] = static_cast<uint64_t>(end - begin);
  cycles[1] = at;  // without a use of the last load none would be made
}

// Loads of lanes at random words of an array, past the L1, four of a lane at a time.
__global__ void __launch_bounds__(kThreads)
    read_at_random_places(const uint32_t* array, uint64_t words, uint32_t rounds, uint32_t* sink) {
  constexpr uint32_t kAhead = 4;
  uint64_t x =
      (static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x + 1) * 0x9e3779b97f4a7c15u;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < rounds; i += kAhead) {
#pragma unroll
    for (uint32_t j = 0; j < kAhead; ++j) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      sum += __ldcg(array + __umul64hi(x ^ (x >> 29), words));
    }
  }
  if (sum == 0x12345678u) {
    *sink = sum;
  }
}

// A kernel with next to no work: each block loads one line that no cache has, and stores a word.
__global__ void touch_lines(const uint32_t* cold, uint32_t* words) {
  if (threadIdx.x == 0) {
    words[blockIdx.x * kWordsOfLine] = __ldcg(cold + blockIdx.x * 33 * kWordsOfLine) + 1;
  }
}

__global__ void do_no_work() {}

__global__ void wait_for_cycles(long long cycles) {
  const long long first = clock_in_order();
  while (clock_in_order() - first < cycles) {
  }
}

}  // namespace presort::gpu::steps
