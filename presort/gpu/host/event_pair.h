// Measures the time between two events on a device.
#pragma once

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

class EventPair {
 public:
  EventPair() {
    PRESORT_CUDA(cudaEventCreate(&first_));
    PRESORT_CUDA(cudaEventCreate(&last_));
  }
  ~EventPair() {
    cudaEventDestroy(first_);
    cudaEventDestroy(last_);
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;

  // Time, ns, of everything that `work` launches on the null stream. Errors: EnvironmentError
  template <class Work>
  double ns_of(const Work& work) const {
    return ns_of(nullptr, work);
  }

  // Time, ns, from now to the end of everything that `stream` has to do after `work`.
  // Requires: the stream is of the device that was the current one in the constructor
  template <class Work>
  double ns_of(cudaStream_t stream, const Work& work) const {
    PRESORT_CUDA(cudaEventRecord(first_, stream));
    work();
    PRESORT_CUDA(cudaEventRecord(last_, stream));
    PRESORT_CUDA(cudaEventSynchronize(last_));
    float ms = 0;
    PRESORT_CUDA(cudaEventElapsedTime(&ms, first_, last_));
    return ms * 1e6;
  }

 private:
  cudaEvent_t first_{};
  cudaEvent_t last_{};
};

}  // namespace presort::gpu
