// Stores inputs to buckets in any order: buckets[label] = value.
#pragma once

#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/device/for_each_pack.cuh"

namespace presort::inline v0::gpu {

template <class Input>
struct StoreAny {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  Input input;
  Value* buckets;

  template <int kCount>
  bool is_aligned() const {
    return input.template is_aligned<kCount>();
  }
  template <int kCount>
  __device__ void run(uint64_t first) const {
    Label label[kCount];
    Value value[kCount];
    input.template load<kCount>(first, label, value);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      buckets[label[i]] = value[i];
    }
  }
};

// Launches the kernel that stores inputs in any order. Requires: n >= 1; labels below the number of buckets
template <class Input>
void store_any(cudaStream_t stream, const Input& input, uint64_t n,
               typename Input::Value* buckets) {
  for_each_pack(stream, StoreAny<Input>{input, buckets}, n);
}

}  // namespace presort::gpu
