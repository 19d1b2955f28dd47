// Where an operation's scratch comes from when it is called without one: the caller's memory, or a
// memory pool, in the order of the stream, so that a graph can capture it. This library has a pool
// for each device, which keeps what it once took: taken from the driver anew, the scratch of 2^23
// inputs took longer than the operation (290 of 575 µs, one H100, 2026-11-25).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/stream_capture.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// The pool of the current device. Lives as long as the process. Errors: EnvironmentError
inline cudaMemPool_t scratch_pool() {
  constexpr size_t kMostDevices = 64;
  static std::mutex mutex;
  static std::array<cudaMemPool_t, kMostDevices> pools{};
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  cudaMemPool_t& pool = pools.at(static_cast<size_t>(device));
  if (pool == nullptr) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    PRESORT_CUDA(cudaMemPoolCreate(&pool, &properties));
    uint64_t keeps = UINT64_MAX;
    PRESORT_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keeps));
  }
  return pool;
}

// Gives the driver back what the current device's pool holds and nobody uses.
// Errors: EnvironmentError
inline void trim_scratch_pool() {
  PRESORT_CUDA(cudaMemPoolTrimTo(scratch_pool(), 0));
}

class Workspace {
 public:
  // The scratch of a call: `given` if it is not empty; else from `pool`, or scratch_pool() for
  // nullptr. Errors: PlanError when what is given is too small or misaligned; EnvironmentError when
  // there is
  //         not enough memory on the device
  Workspace(cudaStream_t stream, size_t bytes, std::span<std::byte> given,
            cudaMemPool_t pool = nullptr)
      : stream_(stream) {
    if (!given.empty() || bytes == 0) {
      check_scratch(given, bytes);
      bytes_ = given;
      return;
    }
    void* taken = nullptr;
    if (pool == nullptr && is_captured(stream)) {
      // When a graph captures the call, it allocates its own memory
      PRESORT_CUDA(cudaMallocAsync(&taken, bytes, stream));
    } else {
      PRESORT_CUDA(
          cudaMallocFromPoolAsync(&taken, bytes, pool != nullptr ? pool : scratch_pool(), stream));
    }
    owned_ = taken;
    bytes_ = {static_cast<std::byte*>(taken), bytes};
  }
  ~Workspace() {
    if (owned_ != nullptr) {
      static_cast<void>(cudaFreeAsync(owned_, stream_));
    }
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  std::span<std::byte> span() const { return bytes_; }

 private:
  cudaStream_t stream_;
  void* owned_ = nullptr;
  std::span<std::byte> bytes_;
};

}  // namespace presort::gpu
