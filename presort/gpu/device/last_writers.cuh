// Writes each bucket the value of the last input with its label: buckets[k] =
// values.value(last[k] - 1), where last[k], the index of that input plus one, is not 0.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

// An input array of pairs: labels[i] with the value i + 1, so that the largest value of a label
// names its last writer. Index has 4 bytes, for fewer than 2^32 inputs.
template <class LabelType, class IndexType>
struct IndexedInput {
  using Label = LabelType;
  using Value = IndexType;
  const Label* labels;

  __device__ Label label(uint64_t i) const { return labels[i]; }
  __device__ Value value(uint64_t i) const { return static_cast<Value>(i + 1); }
  template <int kCount>
  bool is_aligned() const {
    return is_aligned_for_packs<Label, kCount>(labels);
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    load_pack(labels + first, label);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      value[i] = static_cast<Value>(first + i + 1);
    }
  }
};

// A source of values: value(i) is values[i].
template <class Value>
struct ValueArray {
  const Value* values;
  __device__ Value value(uint64_t i) const { return values[i]; }
};

template <class Index, class Values, class Value>
__global__ void __launch_bounds__(256)
    assign_last_kernel(const Index* last, Values values, Value* buckets, uint64_t m) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t k = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; k < m;
       k += threads) {
    const Index index = last[k];
    if (index != 0) {
      buckets[k] = values.value(index - 1);
    }
  }
}

// Launches the kernel that writes to each bucket the value of the last input with its label.
// Requires: m >= 1
template <class Index, class Values, class Value>
void assign_last(cudaStream_t stream, const Index* last, const Values& values, Value* buckets,
                 uint64_t m) {
  constexpr int kThreads = 256;
  const uint64_t blocks = std::min<uint64_t>(
      static_cast<uint64_t>(resident_blocks(current_device_limits(), kThreads, 0)),
      (m + kThreads - 1) / kThreads);
  assign_last_kernel<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(last, values, buckets,
                                                                             m);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
