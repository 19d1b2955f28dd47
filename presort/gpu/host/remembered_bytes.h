// Remembers what another library said of the scratch that it needs. Asking takes the host up to a
// microsecond of a call (docs/results/gpu-ordered-asked.md), and an application calls with one size
// again and again.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// ask(n), or what it returned in this host thread when n and the device were those of the last call
// with an `ask` of this type. Requires: the result depends on n, the device and the type alone
// Errors:   EnvironmentError when there is no device; those of ask, after which nothing is
//           remembered
template <class Ask>
size_t remembered_bytes(uint64_t n, const Ask& ask) {
  struct Answer {
    uint64_t n = 0;
    int device = -1;
    size_t bytes = 0;
  };
  thread_local Answer last;
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  if (last.device != device || last.n != n) {
    last = {n, device, ask(n)};
  }
  return last.bytes;
}

}  // namespace presort::gpu
