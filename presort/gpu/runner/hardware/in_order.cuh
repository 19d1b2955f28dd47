// The clock of a multiprocessor, and the blocks of kernels that measure parts of a GPU.
#pragma once

namespace presort::inline v0::gpu::steps {

inline constexpr int kThreads = 256;

// The clock of a multiprocessor, at the place where it is written.
__device__ inline long long clock_in_order() {
  long long now = 0;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

}  // namespace presort::gpu::steps
