// Reduces segments by one block for each, in one launch: for few values in segments that are long
// on average, and for few segments of one length. Every warp takes consecutive values of the
// segment, kRowsAtOnce rows of 32 · kOfLane at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/block/packs.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/warp/scan.cuh"

namespace presort::inline v0::gpu {

// True if segments whose lengths differ are reduced by a block each: few values in all, in few
// segments or in long ones on average. One block reduces even a segment of all values about as fast
// as another launch and a look-back take.
inline bool reduces_each_segment(uint64_t n, uint64_t segments) {
  constexpr uint64_t kMost = uint64_t{1} << 18;
  constexpr uint64_t kMostOfMany = uint64_t{1} << 17;
  constexpr uint64_t kFewSegments = 2048;
  constexpr uint64_t kLongOnAverage = 64;
  return segments > 0 && n <= kMost &&
         (segments <= kFewSegments || (n <= kMostOfMany && n / segments >= kLongOnAverage));
}

// True if a block joins its lanes' values once, not row by row.
template <class Value, class M>
constexpr bool joins_lanes_once() {
  return M::is_commutative && sizeof(Value) <= 8;
}

// True if segments of one length are reduced by a block each; otherwise several warps share a long
// one. µs of sums of f32 by warps that have chunks, and by a block for each segment (one H100,
// 2026-11-25):
//   length  n = 2^12    2^18        2^20        2^22        2^24        2^26
//   1024    10.1, 8.4   9.7, 7.7    9.4, 8.9    12.8, 15.1  31.2, 33.3  102.8, 109.7
//   2048    10.9, 7.7   10.7, 7.7   11.1, 8.6   12.2, 10.3  30.9, 28.7  102.4, 92.0
//   2^14                26.2, 8.7   26.4, 8.8   25.7, 9.6   31.7, 26.4  98.5, 92.4
//   2^18                14.9, 14.1  15.7, 14.5  20.0, 13.5  37.3, 28.2  103.4, 94.9
//   2^19                            16.7, 22.1  20.1, 21.2  37.8, 40.1  103.2, 99.0
// Many values, or long segments, only if a lane's values are not joined with other lanes' row by
// row: of 2^26 structures of 16 bytes in segments of 4096, whose operator does not commute, chunks
// read 87 % of what the device can, and blocks 60 %.
template <class Value, class M>
bool reduces_each_even_segment(uint64_t segments, uint64_t length) {
  constexpr bool kJoinsLanesOnce = joins_lanes_once<Value, M>();
  constexpr uint64_t kShortest = 512;
  constexpr uint64_t kLong = 2048;
  constexpr uint64_t kLongest = kJoinsLanesOnce ? uint64_t{1} << 18 : uint64_t{1} << 14;
  constexpr uint64_t kFewSegments = 1024;
  return length > kShortest && length <= kLongest &&
         ((kJoinsLanesOnce && length >= kLong) || segments <= kFewSegments);
}

// Segment s: values from offsets[s] up to offsets[s + 1].
template <class Offset>
struct EachOffsetSegment {
  const Offset* offsets;
  uint64_t n;  // number of values in all
  __device__ uint64_t first(uint64_t s) const { return static_cast<uint64_t>(offsets[s]); }
  // Number of warps of a segment's block.
  int warps() const { return n <= uint64_t{1} << 15 ? 8 : 16; }
};
struct EachEvenSegment {
  uint64_t length;
  __device__ uint64_t first(uint64_t s) const { return s * length; }
  int warps() const { return length <= 2048 ? 4 : length < 8192 ? 8 : 16; }
};

// Number of consecutive values that a lane folds at a time: whole packs.
template <class Value>
inline constexpr int kFoldedOfLane = std::max(4, kPackOf<Value>);
template <class Value>
inline constexpr uint64_t kFoldedOfRow = uint64_t{kFoldedOfLane<Value>} * kWarpLanes;

// ⊙ of the values from `begin` up to `end` of an array that are not before `first`, in every lane.
// Requires: all lanes of the warp call it; with is_aligned the array is aligned to packs and
//           `begin` is
// a multiple of a pack
template <class Value, class M>
__device__ Value fold_values(const Value* values, uint64_t begin, uint64_t end, uint64_t first,
                             bool is_aligned, const M& monoid) {
  constexpr int kPack = kPackOf<Value>;
  constexpr int kOfLane = kFoldedOfLane<Value>;
  constexpr uint64_t kRow = kFoldedOfRow<Value>;
  constexpr int kRowsAtOnce = sizeof(Value) > 8 ? 2 : 4;
  Value sum = monoid.identity();
  for (uint64_t row = begin; row < end; row += kRowsAtOnce * kRow) {
    const uint64_t own = row + threadIdx.x % kWarpLanes * kOfLane;
    Value value[kRowsAtOnce][kOfLane];
#pragma unroll
    for (int r = 0; r < kRowsAtOnce; ++r) {
      const uint64_t of_row = row + r * kRow;
      if (is_aligned && of_row >= first && of_row + kRow <= end) {
#pragma unroll
        for (int unit = 0; unit < kOfLane / kPack; ++unit) {
          Value pack[kPack];
          read_pack(values + own + r * kRow + unit * kPack, pack);
#pragma unroll
          for (int i = 0; i < kPack; ++i) {
            value[r][unit * kPack + i] = pack[i];
          }
        }
      } else {
#pragma unroll
        for (int i = 0; i < kOfLane; ++i) {
          const uint64_t at = own + r * kRow + i;
          value[r][i] = at >= first && at < end ? values[at] : monoid.identity();
        }
      }
    }
#pragma unroll
    for (int r = 0; r < kRowsAtOnce; ++r) {
      Value of_lane = value[r][0];
#pragma unroll
      for (int i = 1; i < kOfLane; ++i) {
        of_lane = monoid(of_lane, value[r][i]);
      }
      sum = monoid(sum, M::is_commutative ? of_lane : fold_lanes(of_lane, monoid));
    }
  }
  return M::is_commutative ? fold_lanes(sum, monoid) : sum;
}

// ⊙ of values [first, last) by a whole block, in thread 0; in other threads an arbitrary value.
// Every warp takes consecutive rows. Requires: all threads of the block call it, at most once
// between two barriers
template <int kWarps, class Value, class M>
__device__ Value fold_by_block(const Value* values, uint64_t first, uint64_t last, bool is_aligned,
                               const M& monoid) {
  __shared__ alignas(16) unsigned char memory[kWarps * sizeof(Value)];
  auto* of_warp = reinterpret_cast<Value*>(memory);
  const uint64_t begin = is_aligned ? first - first % kPackOf<Value> : first;
  const uint32_t warp = threadIdx.x / kWarpLanes;
  constexpr uint64_t kRow = kFoldedOfRow<Value>;
  const uint64_t rows = last > begin ? (last - begin + kRow - 1) / kRow : 0;
  const uint64_t share = (rows + kWarps - 1) / kWarps * kRow;
  const uint64_t own = begin + warp * share;
  const Value sum = fold_values(values, own, min(own + share, last), first, is_aligned, monoid);
  if (threadIdx.x % kWarpLanes == 0) {
    of_warp[warp] = sum;
  }
  __syncthreads();
  Value all = sum;
  if (threadIdx.x == 0) {
    for (int w = 1; w < kWarps; ++w) {
      all = monoid(all, of_warp[w]);
    }
  }
  return all;
}

template <int kWarps, class Value, class Segments, class M>
__global__ void __launch_bounds__(kWarps* kWarpLanes)
    reduce_each_segment_kernel(const Value* values, const Segments segments, Value* results,
                               bool is_aligned, const __grid_constant__ M monoid) {
  const Value all =
      fold_by_block<kWarps>(values, segments.first(blockIdx.x),
                            segments.first(uint64_t{blockIdx.x} + 1), is_aligned, monoid);
  if (threadIdx.x == 0) {
    results[blockIdx.x] = all;
  }
}

// Launches the kernel that reduces segment by segment. Requires: 1 <= count < 2^31
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Value, class Segments, class M>
void reduce_each_segment(cudaStream_t stream, const Value* values, const Segments& segments,
                         uint64_t count, Value* results, const M& monoid) {
  const bool is_aligned = are_packs_aligned<kPackOf<Value>>(values);
  const auto launch = [&]<int kWarps>() {
    reduce_each_segment_kernel<kWarps>
        <<<static_cast<unsigned>(count), kWarps * kWarpLanes, 0, stream>>>(
            values, segments, results, is_aligned, monoid);
    PRESORT_CUDA(cudaGetLastError());
  };
  switch (segments.warps()) {
    case 4:
      return launch.template operator()<4>();
    case 8:
      return launch.template operator()<8>();
    default:
      return launch.template operator()<16>();
  }
}

}  // namespace presort::gpu
