// What plans and kernels must know of a device. No CUDA types.
#pragma once

#include <cstddef>

#include "core/gpu.h"

namespace presort::gpu {

// Behind every table in shared memory: three words for each lane, which a lane updates in place of
// a bucket of another table, and of two frequent buckets (gpu/block/shared_table.cuh).
inline constexpr size_t kSpareBytes = 384;

struct DeviceLimits {
  int multiprocessors = 0;
  size_t shared_bytes_of_block = 0;           // at most, once the kernel has asked for it
  size_t shared_bytes_of_multiprocessor = 0;  // of all its blocks, 1 KiB of each for the system
  int threads_of_multiprocessor = 0;
  size_t table_bytes_of_block() const { return shared_bytes_of_block - kSpareBytes; }
};

inline DeviceLimits limits_of(const Gpu& gpu) {
  return {.multiprocessors = gpu.multiprocessors,
          .shared_bytes_of_block = gpu.shared_bytes_of_block,
          .shared_bytes_of_multiprocessor = gpu.shared_bytes_of_multiprocessor,
          .threads_of_multiprocessor = gpu.threads_of_multiprocessor};
}

}  // namespace presort::gpu
