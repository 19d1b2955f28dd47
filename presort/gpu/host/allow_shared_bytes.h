// Lets kernels have more shared memory than the 48 KiB that every device gives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// The most shared memory that each kernel was let have on each device, by any host thread. CUDA keeps
// one limit for a kernel and device, and setting a lower one would take back what another thread
// was given; so limits only grow.
class AllowedSharedBytes {
 public:
  // Lets the kernel have `bytes`, B, of dynamic shared memory on the device, which is the current one,
  // and returns how many it has, at least that many.
  // Errors: EnvironmentError when the driver refuses, and then no limit has changed
  size_t at_least(size_t bytes, const void* kernel, int device) {
    const std::scoped_lock lock(mutex_);
    size_t& allowed = bytes_[{kernel, device}];
    if (allowed < bytes) {
      PRESORT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(bytes)));
      allowed = bytes;
    }
    return allowed;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<const void*, int>, size_t> bytes_;
};

// Lets a kernel have `bytes`, B, of dynamic shared memory on the current device. Each host thread
// remembers kernels that it did so for, as the driver call takes a microsecond.
// Errors: EnvironmentError when the driver refuses
template <class Kernel>
void allow_shared_bytes(Kernel* kernel, size_t bytes) {
  static AllowedSharedBytes of_process;
  struct Allowed {
    Kernel* kernel = nullptr;
    int device = -1;
    size_t bytes = 0;
  };
  constexpr size_t kKnown = 16;
  thread_local std::array<Allowed, kKnown> known;
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  Allowed& one = known[reinterpret_cast<uintptr_t>(kernel) / 16 % kKnown];
  if (one.kernel == kernel && one.device == device && one.bytes >= bytes) {
    return;
  }
  const size_t allowed = of_process.at_least(bytes, reinterpret_cast<const void*>(kernel), device);
  one = {kernel, device, allowed};
}

}  // namespace presort::gpu
