// Labels of the kinds that users bring (bench/gpu/draws/real_label.h), made on the device.
#pragma once

#include <cstdint>
#include <string>

#include "bench/gpu/draws/real_label.h"
#include "bench/gpu/timing.cuh"

namespace presort::inline v0::gpu::bench {

static __global__ void make_real_labels_kernel(uint32_t* labels, uint64_t n, uint64_t m,
                                               RealLabels kind, uint64_t seed) {
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<uint64_t>(gridDim.x) * blockDim.x) {
    labels[i] = real_label(i, n, m, kind, seed);
  }
}

inline void make_real_labels(uint32_t* labels, uint64_t n, uint64_t m, RealLabels kind,
                             uint64_t seed) {
  make_real_labels_kernel<<<2048, 256>>>(labels, n, m, kind, seed);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu::bench
