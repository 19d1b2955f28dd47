// Copies from the host that are done when the call returns.
#pragma once

#include <span>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// Copies an array of the host to device memory, and waits until all of it is there.
// cudaMemcpy of pageable memory returns once the data are in a buffer of CUDA's own. The rest of
// the way may end later, and a stream made with cudaStreamNonBlocking does not wait for it: a
// kernel there could find its labels, or begin to write its scratch, before the copy arrives.
// Requires: to[host.size()] in device memory
// Source:   CUDA Runtime API, "API synchronization behavior"
template <class T>
void copy_to_device(T* to, std::span<const T> host) {
  PRESORT_CUDA(cudaMemcpy(to, host.data(), host.size_bytes(), cudaMemcpyHostToDevice));
  PRESORT_CUDA(cudaStreamSynchronize(nullptr));
}

}  // namespace presort::gpu
