// The limits of the device that kernels are launched on.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// Asks the driver for the limits of a device. Errors: EnvironmentError when the driver refuses
inline DeviceLimits ask_device_limits(int device) {
  const auto attribute = [device](cudaDeviceAttr which) {
    int value = 0;
    PRESORT_CUDA(cudaDeviceGetAttribute(&value, which, device));
    return value;
  };
  return {.multiprocessors = attribute(cudaDevAttrMultiProcessorCount),
          .shared_bytes_of_block =
              static_cast<size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
          .shared_bytes_of_multiprocessor =
              static_cast<size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor)),
          .threads_of_multiprocessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor)};
}

// The limits of the current device; does not wait for the device, and asks the driver once for each
// device. Errors: EnvironmentError when there is no device
inline DeviceLimits current_device_limits() {
  struct Known {
    std::atomic<bool> is_set{false};
    std::atomic_flag is_taken;
    DeviceLimits limits;
  };
  static std::array<Known, 16> known;
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  if (static_cast<size_t>(device) >= known.size()) {
    return ask_device_limits(device);
  }
  Known& one = known[static_cast<size_t>(device)];
  if (one.is_set.load(std::memory_order_acquire)) {
    return one.limits;
  }
  const DeviceLimits limits = ask_device_limits(device);
  if (!one.is_taken.test_and_set()) {
    one.limits = limits;
    one.is_set.store(true, std::memory_order_release);
  }
  return limits;
}

// True if the code of the kernel that runs on the current device was compiled for compute
// capability 9.0 or more, which has bulk copies (gpu/block/bulk_copy.cuh).
template <class Kernel>
bool has_bulk_copies(Kernel* kernel) {
  cudaFuncAttributes attributes;
  PRESORT_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.ptxVersion >= 90;
}

}  // namespace presort::gpu
