// Copies rows of a table that labels name, in units of 2 to 16 bytes that one instruction reads and
// writes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "presort/core/row_chunks.h"
#include "presort/gpu/device/reduce_rows.cuh"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

inline constexpr int kCopyThreads = 256;

// Copies rows: to[i] = from[labels[i]], rows of `units` units each. 2^lane_bits lanes share a row,
// kRows rows are on their way at a time.
template <class Unit, class Label>
__global__ void __launch_bounds__(kCopyThreads)
    copy_rows_kernel(const Label* labels, uint64_t n, const Unit* from, Unit* to, uint32_t units,
                     int lane_bits) {
  constexpr int kRows = 4;
  const uint32_t lanes = 1u << lane_bits;
  const uint32_t lane = threadIdx.x & (lanes - 1);
  const uint64_t group =
      (static_cast<uint64_t>(blockIdx.x) * kCopyThreads + threadIdx.x) >> lane_bits;
  const uint64_t groups = (static_cast<uint64_t>(gridDim.x) * kCopyThreads) >> lane_bits;
  for (uint64_t first = group; first < n; first += groups * kRows) {
    const Unit* row[kRows];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const uint64_t at = first + i * groups;
      row[i] = at < n ? from + static_cast<uint64_t>(labels[at]) * units : nullptr;
    }
    for (uint32_t unit = lane; unit < units; unit += lanes) {
      Unit value[kRows];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        if (row[i] != nullptr) {
          value[i] = row[i][unit];
        }
      }
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        if (row[i] != nullptr) {
          __stcs(to + ((first + i * groups) * units + unit), value[i]);
        }
      }
    }
  }
}

// Launches the kernel that copies rows of `row_bytes` bytes. Requires: n >= 1; addresses and
// row_bytes are multiples of element_bytes, which is 2, 4, 8 or 16. Errors: EnvironmentError when
// CUDA refuses the launch
template <class Label>
void copy_rows(cudaStream_t stream, const Label* labels, uint64_t n, const void* from, void* to,
               uint64_t row_bytes) {
  const auto bits = reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to) | row_bytes;
  const auto launch = [&]<class Unit>(Unit) {
    const uint64_t units = row_bytes / sizeof(Unit);
    const int lane_bits = std::countr_zero(
        static_cast<uint32_t>(std::bit_ceil(std::min<uint64_t>(units, kRowLanes))));
    const uint64_t most =
        8 * static_cast<uint64_t>(resident_blocks(current_device_limits(), kCopyThreads, 0));
    const uint64_t blocks = ((n << lane_bits) + kCopyThreads - 1) / kCopyThreads;
    copy_rows_kernel<<<static_cast<unsigned>(std::min(blocks, most)), kCopyThreads, 0, stream>>>(
        labels, n, static_cast<const Unit*>(from), static_cast<Unit*>(to),
        static_cast<uint32_t>(units), lane_bits);
    PRESORT_CUDA(cudaGetLastError());
  };
  bits % 16 == 0  ? launch(uint4{})
  : bits % 8 == 0 ? launch(uint2{})
  : bits % 4 == 0 ? launch(uint32_t{})
                  : launch(uint16_t{});
}

}  // namespace presort::gpu
