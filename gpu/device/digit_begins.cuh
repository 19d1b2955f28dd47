// Where each digit starts in an ordered array: counts of the digits, summed up.
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>

#include "gpu/cuda_check.h"
#include "gpu/digit.h"

namespace presort::gpu {

inline constexpr int kScanThreads = 1024;
inline constexpr int kScanItems = (1 << kMaxPartBits) / kScanThreads;

// Shapes: counts[digits], begins[digits + 1], cursors[digits] (the same as begins); one block
// Requires: digits <= 2^kMaxPartBits
static __global__ void __launch_bounds__(kScanThreads)
    digit_begins_kernel(const uint32_t* counts, uint64_t* begins, unsigned long long* cursors,
                        uint32_t digits) {
  using Scan = cub::BlockScan<uint64_t, kScanThreads>;
  __shared__ typename Scan::TempStorage storage;
  uint64_t sums[kScanItems];
  const uint32_t first = threadIdx.x * kScanItems;
#pragma unroll
  for (int i = 0; i < kScanItems; ++i) {
    sums[i] = first + i < digits ? counts[first + i] : 0;
  }
  uint64_t total = 0;
  Scan(storage).ExclusiveSum(sums, sums, total);
#pragma unroll
  for (int i = 0; i < kScanItems; ++i) {
    if (first + i < digits) {
      begins[first + i] = sums[i];
      cursors[first + i] = sums[i];
    }
  }
  if (threadIdx.x == 0) {
    begins[digits] = total;
  }
}

// The cursors of the first of two passes: of the parts, each of `digits` digits of the second.
// Shapes: begins[parts · digits + 1], cursors[parts]; one block
static __global__ void __launch_bounds__(kScanThreads)
    first_cursors_kernel(const uint64_t* begins, unsigned long long* cursors, uint32_t parts,
                         uint32_t digits) {
  for (uint32_t part = threadIdx.x; part < parts; part += kScanThreads) {
    cursors[part] = begins[part * digits];
  }
}

// What the second of two passes starts from: the cursors of all digits, and tiles of at most
// `tile_inputs` that begin anew with each part. Shapes: begins[parts · digits + 1], cursors[parts ·
// digits], tile_begins[parts + 1]; one block Requires: parts <= 2^kMaxDigitBits
static __global__ void __launch_bounds__(kScanThreads)
    tile_begins_kernel(const uint64_t* begins, unsigned long long* cursors, uint32_t* tile_begins,
                       uint32_t parts, uint32_t digits, uint32_t tile_inputs) {
  for (uint32_t i = threadIdx.x; i < parts * digits; i += kScanThreads) {
    cursors[i] = begins[i];
  }
  constexpr int kItems = (1 << kMaxDigitBits) / kScanThreads;
  using Scan = cub::BlockScan<uint32_t, kScanThreads>;
  __shared__ typename Scan::TempStorage storage;
  uint32_t tiles[kItems];
  const uint32_t first = threadIdx.x * kItems;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const uint32_t part = first + i;
    tiles[i] = 0;
    if (part < parts) {
      const uint64_t inputs = begins[(part + 1) * digits] - begins[part * digits];
      tiles[i] = static_cast<uint32_t>((inputs + tile_inputs - 1) / tile_inputs);
    }
  }
  uint32_t total = 0;
  Scan(storage).ExclusiveSum(tiles, tiles, total);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (first + i < parts) {
      tile_begins[first + i] = tiles[i];
    }
  }
  if (threadIdx.x == 0) {
    tile_begins[parts] = total;
  }
}

// Where each digit starts among pairs that are ordered by it: found by halving.
// Shapes: pairs[n], begins[digits + 1]
template <class PairType>
__global__ void __launch_bounds__(256)
    find_begins_kernel(const PairType* pairs, uint64_t n, uint64_t* begins, Digit digit) {
  const uint32_t d = blockIdx.x * blockDim.x + threadIdx.x;
  if (d > digit.count()) {
    return;
  }
  uint64_t first = 0;
  uint64_t last = n;
  while (first < last) {
    const uint64_t middle = first + (last - first) / 2;
    if (digit.of(pairs[middle].label) < d) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  begins[d] = first;
}

template <class PairType>
void find_begins(cudaStream_t stream, const PairType* pairs, uint64_t n, uint64_t* begins,
                 Digit digit) {
  constexpr unsigned kThreads = 256;
  find_begins_kernel<<<digit.count() / kThreads + 1, kThreads, 0, stream>>>(pairs, n, begins,
                                                                            digit);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
