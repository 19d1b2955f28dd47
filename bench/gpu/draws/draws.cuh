// Problems drawn at random, and what the programs that time them share: arguments, values, plain
// atomics, and the comparison of results.
//   int main(int argc, char** argv) {
//     return bench::time_draws("gpu_draws", argc, argv, {},
//                              [](const bench::Draw& draw, auto& random) { … });
//   }
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "bench/gpu/draws/real_labels.cuh"
#include "presort/core/error.h"

namespace presort::inline v0::gpu::bench {

// One problem, and how often each call is timed. n, m in elements.
struct Draw {
  uint64_t n;
  uint64_t m;
  RealLabels labels;
  uint64_t seed;
  int rounds;
  const char* label_name() const { return kRealLabels[static_cast<int>(labels)]; }
};

inline constexpr uint64_t kFewInputs = uint64_t{1} << 18;

// Limits of the problems that a program draws; m is always from 2^4 to 2^28.
struct DrawLimits {
  bool takes_least = false;  // true: the third argument is the least log2(n), the fourth the most
  double least_log2_n = 10;
};

// Draws a number of about 2^log2, log2 uniform in [low, high]. Every third is a power of two, as
// people choose them; the others are odd numbers.
inline uint64_t draw_size(std::mt19937_64& random, double low, double high) {
  const double log2 = std::uniform_real_distribution(low, high)(random);
  return random() % 3 == 0 ? uint64_t{1} << std::lround(log2)
                           : static_cast<uint64_t>(std::exp2(log2)) | 1;
}

// Draws problems as the arguments say, and calls run(draw, random) for each:
//   SEED COUNT LEAST_LOG2_N MOST_LOG2_N [ROUNDS]      with limits.takes_least
//   SEED COUNT MOST_LOG2_N [ROUNDS [LEAST_LOG2_N]]    otherwise
// Returns the exit code: 2 for wrong arguments, 1 after an error.
template <class Run>
int time_draws(const char* name, int argc, char** argv, const DrawLimits& limits, const Run& run) {
  const int sizes = limits.takes_least ? 4 : 3;  // number of the argument MOST_LOG2_N
  if (argc <= sizes) {
    std::fprintf(stderr, "usage: %s SEED COUNT %s\n", name,
                 limits.takes_least ? "LEAST_LOG2_N MOST_LOG2_N [ROUNDS]"
                                    : "MOST_LOG2_N [ROUNDS [LEAST_LOG2_N]]");
    return 2;
  }
  std::mt19937_64 random(std::strtoull(argv[1], nullptr, 10));
  const int count = std::atoi(argv[2]);
  const double least = limits.takes_least ? std::atof(argv[3])
                       : argc > sizes + 2 ? std::atof(argv[sizes + 2])
                                          : limits.least_log2_n;
  const double most = std::atof(argv[sizes]);
  const int rounds = argc > sizes + 1 ? std::atoi(argv[sizes + 1]) : 7;
  try {
    for (int i = 0; i < count; ++i) {
      // Few inputs are timed more often: of 21 rounds, the medians of a plain kernel and of the
      // same one again differed by more than 5 % at 3 of 40 sizes (one H100, 2026-11-26).
      constexpr int kMoreRounds = 5;
      Draw draw{.n = 0, .m = 0, .labels = {}, .seed = 0, .rounds = rounds};
      draw.n = draw_size(random, least, most);
      draw.m = draw_size(random, 4, 28);
      draw.labels = static_cast<RealLabels>(random() % 8);
      draw.seed = random() % 1000;
      draw.rounds = draw.n < kFewInputs ? kMoreRounds * rounds : rounds;
      run(draw, random);
      std::fflush(stdout);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
  return 0;
}

__device__ inline uint64_t thread_number() {
  return blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x;
}
__device__ inline uint64_t all_threads() {
  return static_cast<uint64_t>(gridDim.x) * blockDim.x;
}

// Blocks of 256 threads of a plain kernel over n inputs.
inline unsigned plain_blocks(uint64_t n) {
  return static_cast<unsigned>(std::min<uint64_t>(n / 256 + 1, 132 * 8));
}

// Two sums in one value of 16 bytes.
struct TwoSums {
  unsigned long long a;
  unsigned long long b;
  friend __host__ __device__ constexpr TwoSums operator+(TwoSums x, TwoSums y) {
    return {x.a + y.a, x.b + y.b};
  }
  __device__ friend bool operator!=(TwoSums x, TwoSums y) { return x.a != y.a || x.b != y.b; }
};

// Plain atomics, one input a thread; of two sums, two.
template <class Value, class Bucket>
__global__ void plain_atomics(const uint32_t* labels, const Value* values, Bucket* buckets,
                              uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    if constexpr (std::is_same_v<Bucket, TwoSums>) {
      atomicAdd(&buckets[labels[i]].a, values[i].a);
      atomicAdd(&buckets[labels[i]].b, values[i].b);
    } else {
      atomicAdd(buckets + labels[i], static_cast<Bucket>(values[i]));
    }
  }
}

// Makes values -1, 0 or 1: sums stay so small that floats are exact; sums of unsigned values wrap.
template <class Value>
__global__ void fill_values(Value* values, uint64_t n) {
  for (uint64_t i = thread_number(); i < n; i += all_threads()) {
    const int value = static_cast<int>(mix(i) % 3) - 1;
    if constexpr (std::is_same_v<Value, TwoSums>) {
      values[i] = {static_cast<unsigned long long>(value), i};
    } else if constexpr (std::is_integral_v<Value>) {
      values[i] = static_cast<Value>(value);
    } else {
      values[i] = static_cast<Value>(static_cast<float>(value));
    }
  }
}

template <class Value>
__global__ void count_different(const Value* a, const Value* b, uint64_t count,
                                unsigned long long* different) {
  for (uint64_t i = thread_number(); i < count; i += all_threads()) {
    if (a[i] != b[i]) {
      atomicAdd(different, 1ull);
    }
  }
}

// Ends the program where two arrays differ: no time of a wrong result is printed.
template <class Value>
void require_equal(const std::string& what, const Array<Value>& a, const Array<Value>& b) {
  const Array<unsigned long long> different(1);
  PRESORT_CUDA(cudaMemset(different.data(), 0, 8));
  count_different<<<1024, 256>>>(a.data(), b.data(), a.size(), different.data());
  unsigned long long found = 0;
  PRESORT_CUDA(cudaMemcpy(&found, different.data(), 8, cudaMemcpyDeviceToHost));
  if (found > 0) {
    std::fprintf(stderr, "%s: %llu of %zu results differ\n", what.c_str(), found, a.size());
    std::exit(1);
  }
}

}  // namespace presort::gpu::bench
