// Types of the elements of arrays, and operators, by the numbers that python/presort/cuda.py hands over.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace presort::python {

enum class Element : int { u32, u64, f32, f64, f16, bf16, i32, i64 };

// sumInOrder adds floats in the order of the inputs: the same bits in every run.
enum class Reduce : int { sum, product, least, greatest, sumInOrder };

// Labels of a call, and where it runs.
struct Labels {
  int bytes = 8;               // of one label, 4 or 8
  const void* data = nullptr;  // labels[n], in device memory
  uint64_t n = 0;
  uint64_t m = 0;  // number of buckets
  cudaStream_t stream = nullptr;
  bool checked = false;  // true: labels are checked first, which waits for the stream
};

}  // namespace presort::python
