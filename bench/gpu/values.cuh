// Values that GPU benchmarks fill arrays with.
#pragma once

#include <cstdint>
#include <span>

#include "bench/gpu/timing.cuh"

namespace presort::inline v0::gpu::bench {

template <class T>
__global__ void fill_kernel(T* values, uint64_t n, uint64_t below) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    values[i] = static_cast<T>(mix(i) % below);
  }
}

// Fills an array with random whole numbers from 0 to below - 1, the same ones in every run: sums of
// floats are then exact as long as they fit the mantissa.
template <class T>
void fill(std::span<T> values, uint64_t below) {
  fill_kernel<<<2048, 256>>>(values.data(), values.size(), below);
  PRESORT_CUDA(cudaGetLastError());
}

template <class T>
void fill(const Array<T>& values, uint64_t below) {
  fill(std::span(values.data(), values.size()), below);
}

}  // namespace presort::gpu::bench
