// Loops in which every thread works on packs of inputs by itself. A pack is a few consecutive
// inputs that one instruction loads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

// Calls work.template run<kCount>(first) for every pack of kCount inputs, which begins at input
// `first`.
template <int kPack, class Work>
__global__ void __launch_bounds__(256) for_each_pack_kernel(Work work, uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const uint64_t packs = n / kPack;
  for (uint64_t pack = thread; pack < packs; pack += threads) {
    work.template run<kPack>(pack * kPack);
  }
  for (uint64_t i = packs * kPack + thread; i < n; i += threads) {
    work.template run<1>(i);
  }
}

// Launches a kernel that runs a loop over packs. Requires: n >= 1. Errors: EnvironmentError when
// CUDA refuses the launch
template <class Work>
void for_each_pack(cudaStream_t stream, const Work& work, uint64_t n) {
  constexpr int kThreads = 256;
  const auto launch = [&]<int kPack>(std::integral_constant<int, kPack>) {
    const uint64_t blocks = std::min<uint64_t>(
        static_cast<uint64_t>(resident_blocks(current_device_limits(), kThreads, 0)),
        n / (kThreads * kPack) + 1);
    for_each_pack_kernel<kPack><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(work, n);
    PRESORT_CUDA(cudaGetLastError());
  };
  if (work.template is_aligned<4>()) {
    launch(std::integral_constant<int, 4>{});
  } else {
    launch(std::integral_constant<int, 1>{});
  }
}

}  // namespace presort::gpu
