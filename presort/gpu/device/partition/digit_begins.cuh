// Where each digit starts in an array that is ordered by digits: prefix sums of the digits' counts.
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

inline constexpr int kScanThreads = 1024;
inline constexpr int kScanItems = (1 << kMaxPartBits) / kScanThreads;
inline constexpr int kScanItemsOfPass = (1 << kMaxDigitBits) / kScanThreads;

// Computes where each of `count` groups begins that lie side by side, from their sizes. A thread
// has the sizes of kItems groups, from place(0) on. Called by all threads of a block of
// kScanThreads.
// Shapes: begins[count + 1]
template <class T, int kItems>
struct ScannedSizes {
  T sizes[kItems];
  T begins_of_thread[kItems];

  __device__ static uint32_t place(int i) { return threadIdx.x * kItems + i; }

  // Loads the sizes of the groups that a thread sums up; size(i) is the size of group i.
  template <class Size>
  __device__ void take(uint32_t count, const Size& size) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      sizes[i] = place(i) < count ? size(place(i)) : 0;
    }
  }

  // Writes where each group begins to begins[], and calls write(i, begin of group i, size of group
  // i).
  template <class Write>
  __device__ void scan(uint32_t count, T* begins, const Write& write) {
    using Scan = cub::BlockScan<T, kScanThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    T total = 0;
    Scan(storage).ExclusiveSum(sizes, begins_of_thread, total);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (place(i) < count) {
        begins[place(i)] = begins_of_thread[i];
        write(place(i), begins_of_thread[i], sizes[i]);
      }
    }
    if (threadIdx.x == 0) {
      begins[count] = total;
    }
  }
};

// Turns counts of digits into begins and cursors: where each digit begins in a partition's output.
// Shapes: counts[digits], begins[digits + 1], cursors[digits] (the same as begins); one block
// Requires: digits <= kItems * kScanThreads
template <int kItems>
__global__ void __launch_bounds__(kScanThreads)
    digit_begins_kernel(const uint32_t* counts, uint64_t* begins, unsigned long long* cursors,
                        uint32_t digits) {
  ScannedSizes<uint64_t, kItems> scanned;
  scanned.take(digits, [&](uint32_t d) { return counts[d]; });
  scanned.scan(digits, begins, [&](uint32_t d, uint64_t begin, uint64_t) { cursors[d] = begin; });
}

// Launches the kernel that turns counts of digits into where each digit begins. Requires: digits <=
// 2^kMaxPartBits
inline void find_digit_begins(cudaStream_t stream, const uint32_t* counts, uint64_t* begins,
                              unsigned long long* cursors, uint32_t digits) {
  const auto kernel =
      digits <= kScanThreads ? digit_begins_kernel<1> : digit_begins_kernel<kScanItems>;
  kernel<<<1, kScanThreads, 0, stream>>>(counts, begins, cursors, digits);
  PRESORT_CUDA(cudaGetLastError());
}

// Computes the cursors of the first of two passes: one for each part, which has `digits` digits of
// the second pass.
// Shapes: begins[parts · digits + 1], cursors[parts]; one block
static __global__ void __launch_bounds__(kScanThreads)
    first_cursors_kernel(const uint64_t* begins, unsigned long long* cursors, uint32_t parts,
                         uint32_t digits) {
  for (uint32_t part = threadIdx.x; part < parts; part += kScanThreads) {
    cursors[part] = begins[part * digits];
  }
}

// Computes where the second of two passes starts: the cursors of all digits, and the first tile of
// each part. Tiles have at most `tile_inputs` inputs and begin anew with each part.
// Shapes:   begins[parts · digits + 1], cursors[parts · digits], tile_begins[parts + 1]; one block
// Requires: parts <= 2^kMaxDigitBits
static __global__ void __launch_bounds__(kScanThreads)
    tile_begins_kernel(const uint64_t* begins, unsigned long long* cursors, uint32_t* tile_begins,
                       uint32_t parts, uint32_t digits, uint32_t tile_inputs) {
  for (uint32_t i = threadIdx.x; i < parts * digits; i += kScanThreads) {
    cursors[i] = begins[i];
  }
  ScannedSizes<uint32_t, kScanItemsOfPass> tiles;
  tiles.take(parts, [&](uint32_t part) {
    const uint64_t inputs = begins[(part + 1) * digits] - begins[part * digits];
    return static_cast<uint32_t>((inputs + tile_inputs - 1) / tile_inputs);
  });
  tiles.scan(parts, tile_begins, [](uint32_t, uint32_t, uint32_t) {});
}

// Finds, by bisection, where each digit starts among pairs that are ordered by it.
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
