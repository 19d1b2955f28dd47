// The thesis' multireduce for operators that do not commute: every thread has a segment of the
// inputs and a set of buckets in shared memory; a warp reads a run of 32 inputs of each of its
// threads' segments side by side, and transposes them in shared memory, so that each thread finds
// its own. The sets of all threads are then reduced in their order.
// Shapes:   sets[transposed_threads(n, m) · m]; m at most kMostTransposedBuckets of 4 bytes
// Source:   Eilers 2014, alg. 4.7 and 4.8
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu::bench {

inline constexpr uint32_t kMostTransposedBuckets = 512;
// Number of threads of a block, and of inputs that a thread reads at a time
inline constexpr int kRun = 32;

template <class Value>
size_t transposed_bytes(uint32_t m) {
  return size_t{kRun} * m * sizeof(Value) + kRun * (kRun + 1) * (sizeof(Value) + 4);
}

template <class Value>
uint64_t transposed_threads(uint32_t m) {
  return uint64_t{kRun} * static_cast<uint64_t>(resident_blocks(current_device_limits(), kRun,
                                                                transposed_bytes<Value>(m)));
}

template <class Value, class M>
__global__ void __launch_bounds__(kRun)
    transposed_kernel(const uint32_t* labels, const Value* values, uint64_t n, uint64_t segment,
                      uint32_t m, Value* sets, M monoid) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto* set = reinterpret_cast<Value*>(
      raw);  // buckets of a warp's threads, [m][kRun]: a bank for each thread
  auto* run_values = set + size_t{m} * kRun;  // inputs of a warp, transposed, [kRun][kRun + 1]
  auto* run_labels = reinterpret_cast<uint32_t*>(run_values + kRun * (kRun + 1));
  const uint64_t first_thread = uint64_t{blockIdx.x} * kRun;
  const auto begin = [&](uint64_t thread) { return min(thread * segment, n); };
  for (uint32_t k = 0; k < m; ++k) {
    set[k * kRun + threadIdx.x] = monoid.identity();
  }
  for (uint64_t done = 0; done < segment; done += kRun) {
    for (int of = 0; of < kRun; ++of) {
      const uint64_t at = begin(first_thread + of) + done + threadIdx.x;
      if (done + threadIdx.x < segment && at < begin(first_thread + of + 1)) {
        run_labels[of * (kRun + 1) + threadIdx.x] = labels[at];
        run_values[of * (kRun + 1) + threadIdx.x] = values[at];
      }
    }
    __syncwarp();
    const uint64_t own = begin(first_thread + threadIdx.x) + done;
    for (int i = 0; i < kRun; ++i) {
      if (done + i < segment && own + i < begin(first_thread + threadIdx.x + 1)) {
        const uint32_t at = threadIdx.x * (kRun + 1) + i;
        Value& bucket = set[run_labels[at] * kRun + threadIdx.x];
        bucket = monoid(bucket, run_values[at]);
      }
    }
    __syncwarp();
  }
  for (uint32_t k = 0; k < m; ++k) {
    sets[(first_thread + threadIdx.x) * m + k] = set[k * kRun + threadIdx.x];
  }
}

// buckets[k] = buckets[k] ⊙ bucket k of every set, in the order of the sets. A block for each k.
template <class Value, class M>
__global__ void __launch_bounds__(1024)
    join_sets_kernel(const Value* sets, uint64_t threads, uint32_t m, Value* buckets, M monoid) {
  __shared__ Value sums[1024];
  const uint64_t of_thread = (threads + 1023) / 1024;
  const uint64_t first = min(threadIdx.x * of_thread, threads);
  const uint64_t last = min(first + of_thread, threads);
  Value sum = monoid.identity();
  for (uint64_t s = first; s < last; ++s) {
    sum = monoid(sum, sets[s * m + blockIdx.x]);
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = buckets[blockIdx.x];
    for (const Value& of : sums) {
      sum = monoid(sum, of);
    }
    buckets[blockIdx.x] = sum;
  }
}

template <class Value, class M>
void multireduce_transposed(const uint32_t* labels, const Value* values, uint64_t n, Value* buckets,
                            uint32_t m, Value* sets, const M& monoid) {
  const uint64_t threads = transposed_threads<Value>(m);
  const size_t bytes = transposed_bytes<Value>(m);
  const auto kernel = transposed_kernel<Value, M>;
  allow_shared_bytes(kernel, bytes);
  kernel<<<static_cast<unsigned>(threads / kRun), kRun, bytes>>>(
      labels, values, n, (n + threads - 1) / threads, m, sets, monoid);
  PRESORT_CUDA(cudaGetLastError());
  join_sets_kernel<<<m, 1024>>>(sets, threads, m, buckets, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu::bench
