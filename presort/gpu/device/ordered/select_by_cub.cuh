// Compaction of many values by CUB. Which values are kept, and in which order, has one answer, so
// it does not matter who finds it. CUB keeps values by their flags. Predicates, and partitions,
// whose other values go to an array of their own, are left to this library's kernel
// (compact_tiles.cuh).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_select.cuh>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// Fewest values that CUB compacts. µs of u32, two of three kept, by this library's kernel, in
// brackets how many times as long CUB takes by turns: n = 2^20 15.6 (0.99), 2^21 18.7 (0.93), 2^22
// 26.0 (0.94), 2^23 50.2 (0.90), 2^24 83.5 (0.88), 2^26 257 (0.95) (one H100, 2026-11-26).
inline constexpr uint64_t kFewestCompactedByCub = (uint64_t{1} << 20) + 1;

template <class Value>
constexpr bool compacts_by_cub(uint64_t n) {
  return (sizeof(Value) == 4 || sizeof(Value) == 8) && n >= kFewestCompactedByCub;
}

// Keeps the values whose flag is not 0; `kept` may be `values`. With scratch == nullptr it sets
// `bytes` to the scratch needed and launches nothing. Errors: EnvironmentError when CUDA refuses a
// launch
template <class Value>
void compact_by_cub(void* scratch, size_t& bytes, const Value* values, const uint8_t* flags,
                    Value* kept, uint64_t* count, uint64_t n, cudaStream_t stream) {
  if (values == kept) {
    PRESORT_CUDA(cub::DeviceSelect::Flagged(scratch, bytes, kept, flags, count, n, stream));
  } else {
    PRESORT_CUDA(cub::DeviceSelect::Flagged(scratch, bytes, values, flags, kept, count, n, stream));
  }
}

}  // namespace presort::gpu
