// Scatters few inputs into many buckets: whatever is done, is done for each input, and nothing for
// each bucket. The last writer of a bucket is the maximum of the indices of its inputs.
//   1. last[labels[i]] = 0, for each input; other words of last[] are not touched
//   2. last[labels[i]] = max(last[labels[i]], i + 1)
//   3. buckets[labels[i]] = values[i], where last[labels[i]] == i + 1
#pragma once

#include <cstdint>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kScatterFewThreads = 256;
enum class ScatterStep { clear, find_last, write };

// The last input first: inputs of a frequent label then find that a later one was there, and only
// read. A warp whose labels are all the same writes one index. (1.5 million equal labels took 1123
// µs before, one H100.)
template <class Label>
__device__ void find_last(const Label* labels, uint32_t n, uint32_t thread, uint32_t* last) {
  const uint32_t i = n - 1 - thread;
  const Label label = labels[i];
  const uint32_t lane = thread % kWarpLanes;
  const bool is_whole = thread - lane + kWarpLanes <= n;  // lanes vote only in whole warps
  if (is_whole && is_uniform(label) && lane != 0) {
    return;
  }
  if (*static_cast<volatile uint32_t*>(last + label) < i + 1) {
    atomicMax(last + label, i + 1);
  }
}

template <ScatterStep kStep, class Label, class Value>
__global__ void __launch_bounds__(kScatterFewThreads)
    scatter_few_kernel(const Label* labels, const Value* values, Value* buckets, uint32_t n,
                       uint32_t* last) {
  const uint32_t i = blockIdx.x * kScatterFewThreads + threadIdx.x;
  if (i >= n) {
    return;
  }
  if constexpr (kStep == ScatterStep::clear) {
    last[labels[i]] = 0;
  } else if constexpr (kStep == ScatterStep::find_last) {
    find_last(labels, n, i, last);
  } else if (const Label label = labels[i]; last[label] == i + 1) {
    buckets[label] = values[i];
  }
}

// Shapes:   labels[n], values[n]; buckets[m], last[m], which holds anything at first
// Requires: 1 <= n < 2^32; labels below m. Pays where scatters_few (gpu/plan/limits.h)
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Label, class Value>
void scatter_few(cudaStream_t stream, const Label* labels, const Value* values, uint64_t n,
                 Value* buckets, uint32_t* last) {
  const auto count = static_cast<uint32_t>(n);
  const unsigned blocks = (count - 1) / kScatterFewThreads + 1;
  const auto launch = [&](auto* kernel) {
    kernel<<<blocks, kScatterFewThreads, 0, stream>>>(labels, values, buckets, count, last);
    PRESORT_CUDA(cudaGetLastError());
  };
  launch(scatter_few_kernel<ScatterStep::clear, Label, Value>);
  launch(scatter_few_kernel<ScatterStep::find_last, Label, Value>);
  launch(scatter_few_kernel<ScatterStep::write, Label, Value>);
}

}  // namespace presort::gpu
