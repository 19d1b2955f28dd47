// Rows of inputs that a device fetches from those that have them, after an exchange of labels with
// the places of the inputs.
#pragma once

#include <cstdint>

#include "presort/core/row_chunks.h"
#include "presort/gpu/devices/exchange_inputs.cuh"

namespace presort::inline v0::gpu {

// places[i] = i
static __global__ void __launch_bounds__(256) number_kernel(uint32_t* places, uint64_t n) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += threads) {
    places[i] = static_cast<uint32_t>(i);
  }
}

// Row i of `to` = row places[i] of the device that sent input i; `words` of a row. As many lanes of
// a warp as `lanes`, a power of two, copy a row.
template <class Word>
__global__ void __launch_bounds__(256)
    fetch_rows_kernel(Addresses<const Word> from, ReceivedBegins begins, const uint32_t* places,
                      uint64_t n, uint32_t words, uint32_t lanes, Word* to) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = blockIdx.x * static_cast<uint64_t>(blockDim.x) + threadIdx.x;
  const uint32_t lane = threadIdx.x % lanes;
  for (uint64_t i = thread / lanes; i < n; i += threads / lanes) {
    const Word* row = from.of[begins.device(i)] + static_cast<uint64_t>(places[i]) * words;
    for (uint32_t word = lane; word < words; word += lanes) {
      to[i * words + word] = row[word];
    }
  }
}

// Launches the fetch of n rows of `columns` values on the current device, 16 bytes at a time where
// all rows are aligned for that.
template <class Value>
void fetch_rows(cudaStream_t stream, const Shares<const Value>& rows, const ReceivedBegins& begins,
                const uint32_t* places, uint64_t columns, Value* to) {
  const uint64_t n = begins.of[begins.devices];
  if (n == 0) {
    return;
  }
  const uint64_t row_bytes = columns * sizeof(Value);
  bool is_aligned = row_bytes % sizeof(uint4) == 0;
  for (const auto& share : rows) {
    is_aligned &= reinterpret_cast<uintptr_t>(share.data()) % sizeof(uint4) == 0;
  }
  const uint32_t lanes = row_lanes(row_bytes);
  const unsigned blocks = blocks_for(saturating_multiply(n, lanes));
  if (is_aligned) {
    Addresses<const uint4> packs;
    for (size_t d = 0; d < rows.size(); ++d) {
      packs.of[d] = reinterpret_cast<const uint4*>(rows[d].data());
    }
    fetch_rows_kernel<<<blocks, 256, 0, stream>>>(packs, begins, places, n,
                                                  static_cast<uint32_t>(row_bytes / sizeof(uint4)),
                                                  lanes, reinterpret_cast<uint4*>(to));
  } else {
    fetch_rows_kernel<<<blocks, 256, 0, stream>>>(addresses_of(rows), begins, places, n,
                                                  static_cast<uint32_t>(columns), lanes, to);
  }
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
