// The current device and its ceilings, by which plans are chosen (gpu/plan/choose_plan.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>

#include "presort/core/machine/gpu.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/current_device.h"
#include "presort/gpu/plan/bundled_gpus.h"

namespace presort::inline v0::gpu {

// Name, architecture and sizes of the current device; its ceilings are 0.
// Errors: EnvironmentError when there is no device, or one that is too old for the kernels
inline Gpu describe_device() {
  require_device();
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  PRESORT_CUDA(cudaGetDeviceProperties(&properties, device));
  const auto attribute = [device](cudaDeviceAttr which) {
    int value = 0;
    PRESORT_CUDA(cudaDeviceGetAttribute(&value, which, device));
    return value;
  };
  Gpu gpu;
  gpu.name = properties.name;
  gpu.architecture = "sm_" + std::to_string(10 * properties.major + properties.minor);
  gpu.multiprocessors = properties.multiProcessorCount;
  gpu.clock_hz = 1e3 * attribute(cudaDevAttrClockRate);
  gpu.threads_of_multiprocessor = properties.maxThreadsPerMultiProcessor;
  gpu.shared_bytes_of_multiprocessor = properties.sharedMemPerMultiprocessor;
  gpu.shared_bytes_of_block = properties.sharedMemPerBlockOptin;
  gpu.l2_bytes = static_cast<uint64_t>(properties.l2CacheSize);
  gpu.memory_bytes =
      properties.totalGlobalMem >> 20 << 20;  // memory in whole MiB, as in machine files
  return gpu;
}

// Descriptions of this process' GPUs, made when a device is first used.
class KnownGpus {
 public:
  // The table of known GPUs, which lives as long as the process. Errors: EnvironmentError as
  // describe_device
  const Gpu& current() {
    int device = 0;
    PRESORT_CUDA(cudaGetDevice(&device));
    std::atomic<const Gpu*>& latest = latest_.at(static_cast<size_t>(device));
    if (const Gpu* known = latest.load(std::memory_order_acquire)) {
      return *known;
    }
    const std::lock_guard lock(mutex_);
    if (const Gpu* known = latest.load(std::memory_order_relaxed)) {
      return *known;
    }
    const Gpu& described =
        kept_.emplace_back(with_bundled_ceilings(describe_device(), memory_bandwidth(device)));
    latest.store(&described, std::memory_order_release);
    return described;
  }

  void use(const Gpu& gpu) {
    int device = 0;
    PRESORT_CUDA(cudaGetDevice(&device));
    const std::lock_guard lock(mutex_);
    latest_.at(static_cast<size_t>(device))
        .store(&kept_.emplace_back(gpu), std::memory_order_release);
  }

 private:
  static constexpr size_t kMostDevices = 64;

  // Memory bandwidth, bytes a second, as a data sheet counts: two transfers a clock.
  static double memory_bandwidth(int device) {
    int khz = 0;
    int bits = 0;
    PRESORT_CUDA(cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, device));
    PRESORT_CUDA(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, device));
    return 2e3 * khz * bits / 8;
  }

  std::mutex mutex_;
  std::list<Gpu> kept_;  // a list, so that references to its GPUs stay valid
  std::array<std::atomic<const Gpu*>, kMostDevices> latest_{};
};

inline KnownGpus& known_gpus() {
  static KnownGpus known;
  return known;
}

// The current device with bundled ceilings, or those of use_gpu. Takes about a microsecond; the
// first call for a device, milliseconds.
// Errors: EnvironmentError when there is no device, or one that is too old for the kernels
inline const Gpu& current_gpu() {
  return known_gpus().current();
}

// Sets the ceilings by which plans for the current device are chosen from here on: those of a
// machine file (section gpu) or of a probe.
// Errors: EnvironmentError when there is no device
inline void use_gpu(const Gpu& gpu) {
  known_gpus().use(gpu);
}

}  // namespace presort::gpu
