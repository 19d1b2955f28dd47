// Checks that there is a CUDA device on which the kernels can run.
#pragma once

#include <string>

#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/capability.h"

namespace presort::inline v0::gpu {

// Checks the current device. Errors: EnvironmentError when there is no device, or the current one
// is too old for the kernels
inline void require_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    static_cast<void>(cudaGetLastError());
    throw EnvironmentError(std::string("there is no CUDA device (") + cudaGetErrorString(status) +
                           ")");
  }
  int device = 0;
  int major = 0;
  int minor = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  PRESORT_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  PRESORT_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  check_capability(major, minor);
}

}  // namespace presort::gpu
