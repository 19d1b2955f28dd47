// Turns what the CUDA runtime returns into errors.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "presort/core/error.h"

namespace presort::inline v0::gpu {

// Throws if a CUDA call failed. Errors: EnvironmentError with the expression, its place, and CUDA's
// own words; the runtime's last
//         error is cleared, so that the next call does not see it again.
inline void require_success(cudaError_t status, const char* expression, const char* file,
                            int line) {
  if (status == cudaSuccess) {
    return;
  }
  static_cast<void>(cudaGetLastError());
  throw EnvironmentError(std::string(expression) + ": " + cudaGetErrorName(status) + ", " +
                         cudaGetErrorString(status) + " (" + file + ":" + std::to_string(line) +
                         ")");
}

}  // namespace presort::gpu

#define PRESORT_CUDA(expression) \
  ::presort::gpu::require_success((expression), #expression, __FILE__, __LINE__)
