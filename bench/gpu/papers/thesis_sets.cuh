// The sequential algorithms of the thesis for operators that do not commute: every thread has a
// segment of the inputs and a set of buckets of its own, in shared or in global memory. A warp
// reads a run of kItems inputs of each of its threads' segments and transposes them in shared
// memory.
//   reduce_into_sets   a multireduce's first step (alg. 4.7 and 4.8); with kScans a multiscan's,
//                      which also leaves each input's result within the segment (appendix B)
//   add_sets           a multiscan's last step
// Shapes:   sets[m · threads], bucket k of thread t at k · threads + t
// Requires: threads of a block a multiple of 32
// Source:   Eilers 2014, §4.3.5, §4.3.6 and appendix B
#pragma once

#include <cstdint>

#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu::bench {

// Where a thread's set of buckets is.
enum class SetsIn { shared, global };

// How the inputs are divided among threads.
struct SetsShape {
  uint32_t blocks;
  uint32_t threads_of_block;
  uint64_t threads() const { return uint64_t{blocks} * threads_of_block; }
  uint64_t segment(uint64_t n) const { return (n + threads() - 1) / threads(); }
};

template <class Value>
constexpr size_t run_bytes(int items, uint32_t threads) {
  return size_t{threads} * static_cast<size_t>(items + 1) * (sizeof(Value) + sizeof(uint32_t));
}
// Bytes of shared memory of a block.
template <SetsIn kIn, class Value>
constexpr size_t sets_bytes(int items, uint32_t threads, uint32_t m) {
  return run_bytes<Value>(items, threads) +
         (kIn == SetsIn::shared ? size_t{m} * threads * sizeof(Value) : 0);
}

template <SetsIn kIn, int kItems, bool kScans, class Value, class M>
__global__ void reduce_into_sets(const uint32_t* labels, const Value* values, uint64_t n,
                                 uint64_t segment, uint32_t m, Value* sets, Value* results,
                                 M monoid) {
  extern __shared__ __align__(16) unsigned char raw[];
  constexpr int kRow = kItems + 1;  // one more than a run, so that lanes use different banks
  const uint32_t lane = threadIdx.x % kWarpLanes;
  const uint32_t first_of_warp = threadIdx.x - lane;
  const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
  const uint64_t thread = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  auto* run_values = reinterpret_cast<Value*>(raw) + first_of_warp * kRow;
  auto* run_labels =
      reinterpret_cast<uint32_t*>(raw + sizeof(Value) * blockDim.x * kRow) + first_of_warp * kRow;
  auto* table = reinterpret_cast<Value*>(raw + run_bytes<Value>(kItems, blockDim.x)) + threadIdx.x;
  const auto bucket = [&](uint32_t k) -> Value& {
    if constexpr (kIn == SetsIn::shared) {
      return table[k * blockDim.x];
    } else {
      return sets[k * threads + thread];
    }
  };
  for (uint32_t k = 0; k < m; ++k) {
    bucket(k) = monoid.identity();
  }
  const auto begin = [&](uint64_t of) { return min(of * segment, n); };
  // Calls visit(place in shared memory, index of the input) for the inputs of a run of the whole
  // warp, side by side.
  const auto for_each_of_run = [&](uint64_t done, const auto& visit) {
#pragma unroll 4
    for (uint32_t j = 0; j < kItems; ++j) {
      const uint32_t at = j * kWarpLanes + lane;
      const uint64_t of = thread - lane + at / kItems;
      const uint64_t item = done + at % kItems;
      const uint64_t i = begin(of) + item;
      if (item < segment && i < begin(of + 1)) {
        visit(at / kItems * kRow + at % kItems, i);
      }
    }
  };
  for (uint64_t done = 0; done < segment; done += kItems) {
    for_each_of_run(done, [&](uint32_t place, uint64_t i) {
      run_labels[place] = labels[i];
      run_values[place] = values[i];
    });
    __syncwarp();
    for (uint32_t j = 0; j < kItems; ++j) {
      if (done + j < segment && begin(thread) + done + j < begin(thread + 1)) {
        const uint32_t place = lane * kRow + j;
        Value& own = bucket(run_labels[place]);
        const Value before = own;
        own = monoid(before, run_values[place]);
        if constexpr (kScans) {
          run_values[place] = before;
        }
      }
    }
    __syncwarp();
    if constexpr (kScans) {
      for_each_of_run(done, [&](uint32_t place, uint64_t i) { results[i] = run_values[place]; });
      __syncwarp();
    }
  }
  if constexpr (kIn == SetsIn::shared) {
    for (uint32_t k = 0; k < m; ++k) {
      sets[k * threads + thread] = bucket(k);
    }
  }
}

// Launches the first step. Requires: results of n values with kScans
template <SetsIn kIn, int kItems, bool kScans, class Value, class M>
void launch_into_sets(const SetsShape& shape, const uint32_t* labels, const Value* values,
                      uint64_t n, uint32_t m, Value* sets, Value* results, const M& monoid) {
  const auto kernel = reduce_into_sets<kIn, kItems, kScans, Value, M>;
  const size_t bytes = sets_bytes<kIn, Value>(kItems, shape.threads_of_block, m);
  allow_shared_bytes(kernel, bytes);
  kernel<<<shape.blocks, shape.threads_of_block, bytes>>>(labels, values, n, shape.segment(n), m,
                                                          sets, results, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

// results[i] = bucket of the input's label in the set before its thread ⊙ results[i].
// Requires: sets[k · threads + t]: ⊙ of bucket k of all sets before t
template <class Value, class M>
__global__ void add_sets(const uint32_t* labels, uint64_t n, uint64_t segment, uint64_t threads,
                         const Value* sets, Value* results, M monoid) {
  const uint64_t step = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    results[i] = monoid(sets[labels[i] * threads + i / segment], results[i]);
  }
}

}  // namespace presort::gpu::bench
