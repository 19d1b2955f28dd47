// Adds values into buckets on a GPU, for types known when the call is made: one function for each pair of
// types, each pair of widths compiled in a source of its own.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace presort::python {

// A call of add. Arrays are in device memory: labels[n], values[n], out[m].
struct AddCall {
  const void* labels = nullptr;
  const void* values = nullptr;
  uint64_t n = 0;
  void* out = nullptr;
  uint64_t m = 0;
  cudaStream_t stream = nullptr;
  bool checked = false;  // true: labels are checked first, which waits for the stream
};

// Types of values whose sums are computed. Signed integers are added as unsigned ones, in the same bits.
enum class Sum { u32, u64, f32, f64 };

// out[labels[j]] += values[j] for every j, on call.stream.
// Requires: labels of the width in the name; labels[j] < m unless they are checked
// Errors:   as gpu::multireduce (gpu/calls.cuh)
void add_u32_labels(const AddCall& call, Sum sum);
void add_u64_labels(const AddCall& call, Sum sum);

// The parts of the above for values of 8 bytes
void add_u32_labels_wide(const AddCall& call, Sum sum);
void add_u64_labels_wide(const AddCall& call, Sum sum);

}  // namespace presort::python
