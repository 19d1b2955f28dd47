// Launches one level of a reduction of rows (reduce_rows.cuh): of the inputs, or of a list that the
// level before left.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "presort/core/row_chunks.h"
#include "presort/gpu/device/reduce_rows.cuh"
#include "presort/gpu/device/row_arguments.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/device_limits.h"

namespace presort::inline v0::gpu {

// Blocks of a multiprocessor for rows of 17 to 32 bytes, by their shared memory. 50 M rows of eight
// floats into 1 M, ms, with six and with four: uniform labels 1.97, 1.94; half on one row 1.90,
// 1.77; zipf:1.25 2.01, 1.87 (one H200, 2026-11-27).
inline constexpr size_t kBlocksOfTwoLanes = 4;

template <int kUnit, bool kIsList, bool kHasWeights, class In, class Bucket, class M>
__global__ void __launch_bounds__(kRowWarps* kWarpLanes, kRowBlocks)
    reduce_rows_kernel(const __grid_constant__ RowArguments<In, Bucket> arguments,
                       const __grid_constant__ M monoid) {
  extern __shared__ __align__(16) unsigned char row_bytes[];
  const uint32_t warp = threadIdx.x / kWarpLanes;
  const uint32_t kept_bytes = kIsList && arguments.keeps_rows ? arguments.kept_bytes() : 0;
  auto* words = reinterpret_cast<uint32_t*>(row_bytes + kRowWarps * kept_bytes);
  RowReduction<kUnit, kIsList, kHasWeights, In, Bucket, M>(
      arguments, monoid, words + warp * StagedRows::words(arguments.staged(), kHasWeights),
      row_bytes + warp * kept_bytes)
      .run(static_cast<uint64_t>(blockIdx.x) * kRowWarps + warp);
}

// Launches one level of a reduction of rows. Requires: arguments.n >= 1. Errors: EnvironmentError
// when CUDA refuses
template <bool kIsList, bool kHasWeights, class In, class Bucket, class M>
void reduce_level_of_rows(cudaStream_t stream, RowArguments<In, Bucket> arguments,
                          const M& monoid) {
  const uint64_t row_bytes = uint64_t{arguments.columns} * sizeof(In);
  arguments.slices = static_cast<uint32_t>(row_slices(row_bytes));
  arguments.lane_bits = std::countr_zero(row_lanes(row_bytes));
  const uint64_t warps = (arguments.chunks.count(arguments.n) + arguments.groups() - 1) /
                         arguments.groups() * arguments.slices;
  size_t shared_bytes =
      kRowWarps * sizeof(uint32_t) * StagedRows::words(arguments.staged(), kHasWeights);
  const DeviceLimits device = current_device_limits();
  if constexpr (kIsList && sizeof(In) >= 4) {
    const size_t with_rows = shared_bytes + kRowWarps * arguments.kept_bytes();
    arguments.keeps_rows = with_rows <= device.shared_bytes_of_block;
    shared_bytes = arguments.keeps_rows ? with_rows : shared_bytes;
  }
  if (!kIsList && arguments.lane_bits == 1) {
    shared_bytes =
        std::max(shared_bytes, static_cast<size_t>(device.shared_bytes_of_multiprocessor) /
                                   (kBlocksOfTwoLanes + 1));
  }
  constexpr int kMostOfUnit = static_cast<int>(kRowLaneBytes / sizeof(In));
  with_row_unit<kMostOfUnit>(arguments, [&]<int kUnit>(std::integral_constant<int, kUnit>) {
    const auto kernel = reduce_rows_kernel<kUnit, kIsList, kHasWeights, In, Bucket, M>;
    allow_shared_bytes(kernel, shared_bytes);
    kernel<<<static_cast<unsigned>((warps + kRowWarps - 1) / kRowWarps), kRowWarps * kWarpLanes,
             shared_bytes, stream>>>(arguments, monoid);
    PRESORT_CUDA(cudaGetLastError());
  });
}

}  // namespace presort::gpu
