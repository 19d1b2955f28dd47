// Stores inputs to buckets in any order: buckets[label] = value.
#pragma once

#include <cstdint>

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

// Most inputs that are stored one a thread: neighbouring lanes then store to neighbouring sectors
// of labels in order, and more threads wait for memory at the same time. With four inputs a thread,
// 53 of 200 draws took over 5 % more than plain stores; with one, 4 of 40 (one H100, 2026-11-26).
// More inputs keep all threads busy, and packs take fewer instructions.
inline constexpr uint64_t kMostStoredAlone = uint64_t{1} << 20;
inline constexpr int kStoreThreads = 256;

template <class Input>
__global__ void __launch_bounds__(kStoreThreads)
    store_alone_kernel(Input input, uint32_t n, typename Input::Value* buckets) {
  const uint32_t i = blockIdx.x * kStoreThreads + threadIdx.x;
  if (i < n) {
    buckets[input.label(i)] = input.value(i);
  }
}

// Launches the kernel that stores inputs in any order.
// Requires: n >= 1; labels below the number of buckets
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Input>
void store_any(cudaStream_t stream, const Input& input, uint64_t n,
               typename Input::Value* buckets) {
  if (n <= kMostStoredAlone) {
    const auto count = static_cast<uint32_t>(n);
    store_alone_kernel<<<(count - 1) / kStoreThreads + 1, kStoreThreads, 0, stream>>>(input, count,
                                                                                      buckets);
    return PRESORT_CUDA(cudaGetLastError());
  }
  for_each_pack(stream, StoreAny<Input>{input, buckets}, n);
}

}  // namespace presort::gpu
