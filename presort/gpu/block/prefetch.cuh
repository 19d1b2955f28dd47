// Asks for memory that will be read soon, where a device has an instruction for it.
#pragma once

#include <cstdint>

namespace presort::inline v0::gpu {

// Brings bytes to the L2 and returns at once; called by all threads of the block. A hint: nothing
// on devices before compute capability 9.0.
// Requires: all of the bytes belong to one allocation
__device__ inline void prefetch_to_l2(const void* from, uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
  constexpr uint32_t kAlignment = 16;
  constexpr uint32_t kPiece = 1024;
  const auto address = reinterpret_cast<uintptr_t>(from);
  const uintptr_t first = (address + kAlignment - 1) / kAlignment * kAlignment;
  const uintptr_t last = (address + bytes) / kAlignment * kAlignment;
  for (uintptr_t at = first + threadIdx.x * kPiece; at < last; at += blockDim.x * kPiece) {
    const auto size = static_cast<uint32_t>(min(static_cast<uintptr_t>(kPiece), last - at));
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(at), "r"(size) : "memory");
  }
#else
  static_cast<void>(from);
  static_cast<void>(bytes);
#endif
}

}  // namespace presort::gpu
