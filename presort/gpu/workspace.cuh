// Where an operation's scratch comes from when it is called without one: the caller's memory, or the
// device's memory pool, in the order of the stream, so that a graph can capture it.
#pragma once

#include <cstddef>
#include <span>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

class Workspace {
 public:
  // `given` where it is not empty; else from `pool`, or the device's current pool for nullptr.
  // Errors: PlanError when what is given is too small or misaligned; EnvironmentError when there is
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
    if (pool != nullptr) {
      PRESORT_CUDA(cudaMallocFromPoolAsync(&taken, bytes, pool, stream));
    } else {
      PRESORT_CUDA(cudaMallocAsync(&taken, bytes, stream));
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
