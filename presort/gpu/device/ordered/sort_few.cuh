// Orders few inputs, stably, by all bits of their labels, by CUB's radix sort: one launch of some
// thousand inputs, and few of more, where a pass of this library's own takes five. What goes along
// with a label has 4 bytes: a value, or the number of the input.
//   const auto sorted = SortedItems<Label>::take(carver, n, bits);
//   sort_items(stream, labels, items, n, bits, sorted);      // or
//   sort_numbers(stream, labels, n, bits, sorted);           // an input's item is its number plus 1
// Shapes:   labels[n], items[n]; sorted.labels[n], sorted.items[n]
// Requires: labels below 2^bits; 1 <= n < 2^31; 1 <= bits
// Errors:   EnvironmentError when CUDA refuses a launch
#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>

#include "presort/core/base/carver.h"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// Sorts by CUB. With scratch == nullptr it sets `bytes` to the scratch needed and launches nothing.
template <class Label>
void sort_by_cub(void* scratch, size_t& bytes, const Label* labels, Label* sorted_labels,
                 const uint32_t* items, uint32_t* sorted_items, uint64_t n, int bits,
                 cudaStream_t stream) {
  PRESORT_CUDA(cub::DeviceRadixSort::SortPairs(scratch, bytes, labels, sorted_labels, items,
                                               sorted_items, static_cast<int>(n), 0, bits, stream));
}

// Bytes of scratch of CUB's sort. Each host thread remembers the last answer, which takes the
// driver some microseconds.
template <class Label>
size_t sort_items_scratch_bytes(uint64_t n, int bits) {
  struct Known {
    uint64_t n = 0;
    int bits = 0;
    int device = -1;
    size_t bytes = 0;
  };
  thread_local Known known;
  int device = 0;
  PRESORT_CUDA(cudaGetDevice(&device));
  if (known.n != n || known.bits != bits || known.device != device) {
    size_t bytes = 0;
    sort_by_cub<Label>(nullptr, bytes, nullptr, nullptr, nullptr, nullptr, n, bits, nullptr);
    known = {n, bits, device, bytes};
  }
  return known.bytes;
}

template <class Label>
struct SortedItems {
  Label* labels = nullptr;      // labels[n], ascending
  uint32_t* items = nullptr;    // items[n]: item of each sorted input
  uint32_t* numbers = nullptr;  // numbers[n]: 1 to n, before they are sorted
  std::byte* scratch = nullptr;
  size_t scratch_bytes = 0;

  static SortedItems take(Carver& carver, uint64_t n, int bits) {
    SortedItems sorted;
    sorted.labels = carver.take<Label>(n);
    sorted.items = carver.take<uint32_t>(n);
    sorted.numbers = carver.take<uint32_t>(n);
    sorted.scratch_bytes = sort_items_scratch_bytes<Label>(n, bits);
    sorted.scratch = carver.take<std::byte>(sorted.scratch_bytes);
    return sorted;
  }
};

static __global__ void __launch_bounds__(256) number_inputs_kernel(uint32_t* numbers, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    numbers[i] = i + 1;
  }
}

template <class Label>
void sort_items(cudaStream_t stream, const Label* labels, const uint32_t* items, uint64_t n,
                int bits, const SortedItems<Label>& sorted) {
  size_t bytes = sorted.scratch_bytes;
  sort_by_cub(sorted.scratch, bytes, labels, sorted.labels, items, sorted.items, n, bits, stream);
}

template <class Label>
void sort_numbers(cudaStream_t stream, const Label* labels, uint64_t n, int bits,
                  const SortedItems<Label>& sorted) {
  constexpr unsigned kThreads = 256;
  number_inputs_kernel<<<static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0,
                         stream>>>(sorted.numbers, static_cast<uint32_t>(n));
  PRESORT_CUDA(cudaGetLastError());
  sort_items(stream, labels, sorted.numbers, n, bits, sorted);
}

}  // namespace presort::gpu
