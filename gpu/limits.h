// What plans and kernels must know of a device. No CUDA types.
#pragma once

#include <cstddef>

#include "core/gpu.h"

namespace presort::gpu {

struct DeviceLimits {
  int multiprocessors = 0;
  size_t shared_bytes_of_block = 0;           // at most, once the kernel has asked for it
  size_t shared_bytes_of_multiprocessor = 0;  // of all its blocks, 1 KiB of each for the system
  int threads_of_multiprocessor = 0;
};

inline DeviceLimits limits_of(const Gpu& gpu) {
  return {.multiprocessors = gpu.multiprocessors,
          .shared_bytes_of_block = gpu.shared_bytes_of_block,
          .shared_bytes_of_multiprocessor = gpu.shared_bytes_of_multiprocessor,
          .threads_of_multiprocessor = gpu.threads_of_multiprocessor};
}

}  // namespace presort::gpu
