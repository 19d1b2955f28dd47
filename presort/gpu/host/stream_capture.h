// Streams that a graph captures, and what a thread may do meanwhile.
#pragma once

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// True while a graph captures the stream. Errors: EnvironmentError
inline bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  PRESORT_CUDA(cudaStreamIsCapturing(stream, &status));
  return status != cudaStreamCaptureStatusNone;
}

// While it lives, this thread may allocate memory though another one captures a stream, in whatever
// mode that one captures. Requires: nothing is captured on the streams of this thread
class BesideCaptures {
 public:
  BesideCaptures() { PRESORT_CUDA(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  ~BesideCaptures() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;  // then the mode to go back to
};

}  // namespace presort::gpu
