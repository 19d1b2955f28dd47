// The GPU multireduces of the thesis that the library does not have, written anew:
//   sets_in_l2        several sets of buckets in global memory, which threads take by turns
//                     (alg. 4.9)
//   sets_of_banks     a set of buckets in each bank of shared memory; a thread takes two inputs at
//                     a time, and adds up their values first if their labels are equal (alg. 4.10)
//   sets_of_threads   a set of buckets for each thread, without atomics, as in the histograms of
//                     Nugteren et al. and TRISH (§4.3.6)
//   plain_stores      a scatter by one store for each input (§4.5.1)
// Source: Eilers 2014
#pragma once

#include <cstdint>

#include "presort/gpu/detail/input.cuh"

namespace presort::inline v0::gpu::bench {

inline constexpr int kBanks = 32;

// Multireduce in several sets of buckets in global memory. Shapes: buckets[m · sets], a label's
// buckets side by side. Requires: sets a power of two
template <class Input>
__global__ void sets_in_l2(Input input, uint64_t n, uint32_t* buckets, uint32_t sets) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint32_t set = threadIdx.x & (sets - 1);
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    atomicAdd(buckets + static_cast<uint64_t>(input.label(i)) * sets + set, input.value(i));
  }
}

// Sums the values whose labels are in [first, first + count); other inputs are passed over.
// Shapes: shared memory: count · kBanks words
static __global__ void sets_of_banks(const uint32_t* labels, const uint32_t* values, uint64_t n,
                                     uint32_t* buckets, uint32_t first, uint32_t count) {
  extern __shared__ uint32_t table[];
  for (uint32_t i = threadIdx.x; i < count * kBanks; i += blockDim.x) {
    table[i] = 0;
  }
  __syncthreads();
  const uint32_t bank = threadIdx.x % kBanks;
  const auto add = [&](uint32_t bucket, uint32_t value) {
    if (bucket < count) {
      atomicAdd(table + bucket * kBanks + bank, value);
    }
  };
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += 2 * threads) {
    const bool is_pair = i + threads < n;
    const uint32_t one = labels[i] - first;
    const uint32_t other = is_pair ? labels[i + threads] - first : one;
    const uint32_t other_value = is_pair ? values[i + threads] : 0;
    const bool is_equal = one == other;
    add(one, values[i] + (is_equal ? other_value : 0));
    if (!is_equal) {
      add(other, other_value);
    }
  }
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    uint32_t sum = 0;
    for (int j = 0; j < kBanks; ++j) {
      sum +=
          table[i * kBanks + (i + j) % kBanks];  // each thread reads another bank of shared memory
    }
    atomicAdd(buckets + first + i, sum);
  }
}

// Multireduce with a set of buckets for each thread. Shapes: shared memory: m · blockDim.x words
static __global__ void sets_of_threads(const uint32_t* labels, const uint32_t* values, uint64_t n,
                                       uint32_t* buckets, uint32_t m) {
  extern __shared__ uint32_t table[];
  const uint32_t sets = blockDim.x;
  for (uint32_t i = threadIdx.x; i < m * sets; i += sets) {
    table[i] = 0;
  }
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * sets;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * sets + threadIdx.x;
  for (uint64_t i = thread; i < n; i += 4 * threads) {
    uint32_t label[4];
    uint32_t value[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const uint64_t at = i + j * threads;
      label[j] = at < n ? labels[at] : 0;
      value[j] = at < n ? values[at] : 0;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      table[label[j] * sets + threadIdx.x] += value[j];
    }
  }
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < m; i += sets) {
    uint32_t sum = 0;
    for (uint32_t j = 0; j < sets; ++j) {
      sum += table[i * sets + (i + j) % sets];
    }
    atomicAdd(buckets + i, sum);
  }
}

static __global__ void plain_stores(const uint32_t* labels, const uint32_t* values,
                                    uint32_t* buckets, uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    buckets[labels[i]] = values[i];
  }
}

}  // namespace presort::gpu::bench
