// The sample of the labels that room for the digits of a partition is made from
// (gpu/room_sample.h), and where the rooms begin.
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>

#include "gpu/cuda_check.h"
#include "gpu/device/digit_begins.cuh"
#include "gpu/digit.h"
#include "gpu/room_sample.h"

namespace presort::gpu {

// The sample of another input. Requires: kCount divides RoomSample::kGroup
template <class Input>
struct SampledInput {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  Input input;

  template <int kCount>
  bool is_aligned() const {
    return input.template is_aligned<kCount>();
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    static_assert(RoomSample::kGroup % kCount == 0);
    input.template load<kCount>(RoomSample::place(first), label, value);
  }
};

// Where the digits' rooms begin, and cursors there; `fills` is where each room ends.
// Shapes: counts[digits] of the sample, begins[digits + 1], cursors[digits], fills[digits]; one
// block
static __global__ void __launch_bounds__(kScanThreads)
    room_begins_kernel(const uint32_t* counts, uint64_t* begins, unsigned long long* cursors,
                       unsigned long long* fills, uint32_t digits) {
  constexpr int kItems = (1 << kMaxDigitBits) / kScanThreads;
  using Scan = cub::BlockScan<uint64_t, kScanThreads>;
  __shared__ typename Scan::TempStorage storage;
  uint64_t rooms[kItems];
  uint64_t sums[kItems];
  const uint32_t first = threadIdx.x * kItems;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    rooms[i] = first + i < digits ? RoomSample::room(counts[first + i]) : 0;
  }
  uint64_t total = 0;
  Scan(storage).ExclusiveSum(rooms, sums, total);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (first + i < digits) {
      begins[first + i] = sums[i];
      cursors[first + i] = sums[i];
      fills[first + i] = sums[i] + rooms[i];
    }
  }
  if (threadIdx.x == 0) {
    begins[digits] = total;
  }
}

}  // namespace presort::gpu
