// Reduces segments of many values that are long on average, in two launches, by no look-back.
// A segment has a block, or a warp, by the mean length, which reduces it unless it is longer than
// kLongOf; a warp leaves one of more than kMostOfWarp values to its block. Other blocks, between
// them, take a window of kWindowOf consecutive values, look up which segments its first and its
// last value belong to, and reduce its share of those that are so long. The second launch joins the
// parts of each long segment, in their order. Segments of like lengths thus wait for no search and
// no chain, and a few that are huge are shared by all blocks.
// Shapes:   values[n], offsets[segments + 1], results[segments];
//           scratch[long_apart_scratch_bytes(n)]
// Order:    left to right; what is grouped depends on n and the offsets alone
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/base/carver.h"
#include "presort/gpu/device/ordered/reduce_each_segment.cuh"
#include "presort/gpu/device/ordered/reduce_in_groups.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/segments/segment_group.h"

namespace presort::inline v0::gpu {

// Fewest values of a segment on average for which segments with offsets, of many values, are
// reduced by a warp or a block for each, long ones apart. µs of sums of f32 by chunks of equal
// work, by a block, by a warp and by CUB, by mean length (one H100, 2026-11-26;
// bench/gpu/ordered/long_apart.cu):
//   lengths          n = 2^22                 2^23                     2^24
//   uniform, 64      28.6  86.3  34.6  59.4   32.9   166  62.1   127   51.3   324   116   304
//   uniform, 128     25.6  47.2  21.3  34.0   31.5  87.7  36.4  69.0   50.6   171  65.4   159
//   uniform, 256     26.7  30.2  15.1  22.8   30.1  53.0  22.3  40.1   49.6  99.5  38.9  87.6
//   uniform, 512     26.2  19.3  12.6  16.6   29.5  31.0  17.0  27.0   47.8  56.3  31.7  58.4
//   uniform, 1024    23.8  13.2  11.5  12.4   28.5  19.4  15.6  19.0   46.0  34.8  29.5  41.0
//   uniform, 2048    24.0  13.1  15.7  10.9   28.2  19.3  19.2  15.5   45.3  35.4  33.8  33.0
//   uniform, 16384   23.3  12.3  26.5  14.3   27.7  16.0  34.9  21.0   38.7  31.8  47.3  33.3
//   power law, 512   25.9  25.2  20.7  47.5   28.4  42.2  26.1  92.6   43.5  69.4  43.0   184
//   power law, 2048  25.7  17.8  15.5   111   30.8  25.8  21.6   345   45.0  43.5  40.0   760
// 2^26 values, one H200, the same day, µs by the same four ways:
//   uniform, 256     99.1   125   125   317   uniform, 512     97.2  89.9  90.3   200
//   uniform, 1024    93.0  75.3  76.1   129   uniform, 2048    91.3   111  84.0  86.8
//   uniform, 4096    90.1  79.2  79.5  71.5   power law, 512   95.4   103   102   389
//   power law of mean 512, longest first: 256   99.5   101   421
// 2^28 values, the same device and day: uniform, 512: 310 333 333 794; 1024: 297 276 276
// 498; 4096: 291 294 270 256; 16384: 285 251 262 251; power law of mean 2048, longest first: 591
// 256 256 2321.
// Up to 2^21 values most such segments have groups of threads (reduce_in_groups.cuh).
constexpr uint64_t shortest_apart(uint64_t n) {
  constexpr uint64_t kSome = uint64_t{1} << 22;
  constexpr uint64_t kMany = uint64_t{1} << 24;
  constexpr uint64_t kMost = uint64_t{1} << 26;
  return n <= kSome ? 112 : n <= kMany ? 224 : n <= kMost ? 480 : 1024;
}

// True if segments with offsets are reduced by a warp or a block for each, long ones apart.
constexpr bool reduces_long_apart(uint64_t n, uint64_t segments) {
  constexpr uint64_t kFewest = uint64_t{1} << 18;
  constexpr uint64_t kMost = uint64_t{1} << 28;
  return segments > 0 && n > kFewest && n <= kMost && n / segments >= shortest_apart(n);
}

// Number of values in a window: 64 KiB of them.
template <class Value>
inline constexpr uint64_t kWindowOf = (uint64_t{1} << 16) / sizeof(Value);
// Most values of a segment that one block reduces. More than a window, so that a longer segment has
// the first or the last value of each window that it meets, and two of them never begin in one
// window.
template <class Value>
inline constexpr uint64_t kLongOf = 4 * kWindowOf<Value>;

// Results of the windows' blocks, for the second launch.
template <class Value>
struct LongParts {
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t* begins;  // begins[w]: the long segment that begins in window w, or kNone
  Value*
      from_first;  // from_first[w]: ⊙ of the window's values in the long segment of its first value
  Value*
      to_last;  // to_last[w]: ⊙ of its values in the long segment that begins behind its first value
  uint64_t windows;

  static LongParts take(Carver& carver, uint64_t n) {
    LongParts parts;
    parts.windows = (n + kWindowOf<Value> - 1) / kWindowOf<Value>;
    parts.begins = carver.take<uint32_t>(parts.windows);
    parts.from_first = carver.take<Value>(parts.windows);
    parts.to_last = carver.take<Value>(parts.windows);
    return parts;
  }
};

template <class Value>
size_t long_apart_scratch_bytes(uint64_t n) {
  Carver carver;
  LongParts<Value>::take(carver, n);
  return carver.used_bytes();
}

template <class Offset, class Value>
struct LongApartArguments {
  const Value* values;
  const Offset* offsets;
  Value* results;
  uint64_t n;
  uint32_t segments;
  bool is_aligned;  // true: the values are aligned to units of 16 bytes
  LongParts<Value> parts;

  __device__ uint64_t first(uint32_t segment) const {
    return static_cast<uint64_t>(offsets[segment]);
  }
  __device__ uint64_t last(uint32_t segment) const {
    return static_cast<uint64_t>(offsets[uint64_t{segment} + 1]);
  }
};

// Lets the next kernel in the stream start before this one has ended, if it was launched so.
__device__ inline void let_next_launch_start() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
// Waits until the kernel before has ended and its stores are seen, if this one was launched to
// start earlier.
__device__ inline void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// The segment of value `place`, or kNone. Each half of the warp searches for a place of its own, 16
// offsets at a time. Requires: all lanes of the warp call it
template <class Offset, class Value>
__device__ uint32_t segment_of(const LongApartArguments<Offset, Value>& arguments, uint64_t place) {
  constexpr uint32_t kLanes = kWarpLanes / 2;
  const uint32_t lane = threadIdx.x % kLanes;
  const uint32_t half = threadIdx.x % kWarpLanes / kLanes;
  uint64_t first = 0;
  uint64_t last = uint64_t{arguments.segments} + 1;  // offsets up to `place` are [first, last] many
  while (__any_sync(kAllLanes, first < last)) {
    const uint64_t step = (last - first + kLanes - 1) / kLanes;
    const uint64_t own = first + (lane + 1) * step - 1;
    const bool is_before = own < last && static_cast<uint64_t>(arguments.offsets[own]) <= place;
    const unsigned before =
        __popc(__ballot_sync(kAllLanes, is_before) >> (half * kLanes) & ((1u << kLanes) - 1));
    first += before * step;
    last = step > 0 ? min(last, first + step - 1) : first;
  }
  const bool is_in_none = first == 0 || first > arguments.segments;
  return is_in_none ? LongParts<Value>::kNone : static_cast<uint32_t>(first - 1);
}

// Reduces a window's values in long segments, and notes which long segment begins in it.
// Requires: all threads of the block call it
template <int kWarps, class Offset, class Value, class M>
__device__ void reduce_window(const LongApartArguments<Offset, Value>& arguments, uint64_t window,
                              const M& monoid) {
  constexpr uint32_t kNone = LongParts<Value>::kNone;
  __shared__ uint32_t found[2];  // long segments of the window's first and last value
  const uint64_t begin = window * kWindowOf<Value>;
  const uint64_t end = min(arguments.n, begin + kWindowOf<Value>);
  if (threadIdx.x < kWarpLanes) {
    const bool is_upper = threadIdx.x >= kWarpLanes / 2;
    uint32_t segment = segment_of(arguments, is_upper ? end - 1 : begin);
    if (segment != kNone && arguments.last(segment) - arguments.first(segment) <= kLongOf<Value>) {
      segment = kNone;
    }
    if (threadIdx.x % (kWarpLanes / 2) == 0) {
      found[is_upper] = segment;
    }
  }
  __syncthreads();
  const uint32_t at_first = found[0];
  const uint32_t at_last = found[1];
  if (threadIdx.x == 0) {
    const bool begins = at_last != kNone && arguments.first(at_last) >= begin;
    arguments.parts.begins[window] = begins ? at_last : kNone;
  }
  if (at_first != kNone) {
    const Value part = fold_by_block<kWarps>(
        arguments.values, begin, min(end, arguments.last(at_first)), arguments.is_aligned, monoid);
    if (threadIdx.x == 0) {
      arguments.parts.from_first[window] = part;
    }
    __syncthreads();
  }
  if (at_last != kNone && at_last != at_first) {
    const Value part = fold_by_block<kWarps>(arguments.values, arguments.first(at_last), end,
                                             arguments.is_aligned, monoid);
    if (threadIdx.x == 0) {
      arguments.parts.to_last[window] = part;
    }
  }
}

// True in the blocks that take a window, which are spread evenly among the `others`. Sets `number`
// to that of the window, or of this block among the others.
inline __device__ bool has_window(uint64_t windows, uint64_t others, uint64_t& number) {
  const uint64_t blocks = windows + others;
  const uint64_t window = blockIdx.x * windows / blocks;
  const bool is_window = (blockIdx.x + uint64_t{1}) * windows / blocks != window;
  number = is_window ? window : blockIdx.x - window;
  return is_window;
}

// A block for each segment.
template <int kWarps, class Offset, class Value, class M>
__global__ void __launch_bounds__(kWarps* kWarpLanes)
    reduce_long_apart_kernel(const __grid_constant__ LongApartArguments<Offset, Value> arguments,
                             const __grid_constant__ M monoid) {
  let_next_launch_start();
  uint64_t number;
  if (has_window(arguments.parts.windows, arguments.segments, number)) {
    return reduce_window<kWarps>(arguments, number, monoid);
  }
  const auto segment = static_cast<uint32_t>(number);
  const uint64_t first = arguments.first(segment);
  const uint64_t last = arguments.last(segment);
  if (last - first > kLongOf<Value>) {
    return;
  }
  const Value all =
      fold_by_block<kWarps>(arguments.values, first, last, arguments.is_aligned, monoid);
  if (threadIdx.x == 0) {
    arguments.results[segment] = all;
  }
}

inline constexpr int kApartWarps = 8;  // number of warps of a block whose warps have a segment each

// A warp for each segment, which leaves one of more than kMostOfWarp values to its block.
// Neighbouring segments have warps of different blocks, so that long ones side by side are spread.
template <class Offset, class Value, class M>
__global__ void __launch_bounds__(kApartWarps* kWarpLanes) reduce_by_warps_apart_kernel(
    const __grid_constant__ LongApartArguments<Offset, Value> arguments,
    const __grid_constant__ M monoid) {
  __shared__ uint32_t alone[kApartWarps];  // segments for the block
  __shared__ uint32_t count;
  let_next_launch_start();
  const uint32_t others = (arguments.segments + kApartWarps - 1) / kApartWarps;
  uint64_t number;
  if (has_window(arguments.parts.windows, others, number)) {
    return reduce_window<kApartWarps>(arguments, number, monoid);
  }
  if (threadIdx.x == 0) {
    count = 0;
  }
  const uint64_t segment = uint64_t{threadIdx.x / kWarpLanes} * others + number;
  const bool is_there = segment < arguments.segments;
  const uint64_t first = is_there ? arguments.first(static_cast<uint32_t>(segment)) : 0;
  const uint64_t last = is_there ? arguments.last(static_cast<uint32_t>(segment)) : 0;
  const bool is_first_lane = threadIdx.x % kWarpLanes == 0;
  bool is_alone = false;
  if (is_there && last - first <= kMostOfWarp) {
    const Value all = fold_by_warp(arguments.values, first, last, arguments.is_aligned, monoid);
    if (is_first_lane) {
      arguments.results[segment] = all;
    }
  } else {
    is_alone = is_first_lane && is_there && last - first <= kLongOf<Value>;
  }
  if (__syncthreads_or(is_alone) == 0) {
    return;
  }
  if (is_alone) {
    alone[atomicAdd(&count, 1u)] = static_cast<uint32_t>(segment);
  }
  __syncthreads();
  for (uint32_t i = 0; i < count; ++i) {
    const Value all =
        fold_by_block<kApartWarps>(arguments.values, arguments.first(alone[i]),
                                   arguments.last(alone[i]), arguments.is_aligned, monoid);
    if (threadIdx.x == 0) {
      arguments.results[alone[i]] = all;
    }
    __syncthreads();
  }
}

inline constexpr int kJoinWarps = 8;  // number of warps of a block that joins parts

// Joins the parts of the long segments that begin in 32 windows, a segment after the other.
template <class Offset, class Value, class M>
__global__ void __launch_bounds__(kJoinWarps* kWarpLanes)
    join_long_parts_kernel(const __grid_constant__ LongApartArguments<Offset, Value> arguments,
                           const __grid_constant__ M monoid) {
  constexpr uint64_t kWindow = kWindowOf<Value>;
  constexpr uint32_t kNone = LongParts<Value>::kNone;
  wait_for_launch_before();
  const uint64_t own = uint64_t{blockIdx.x} * kWarpLanes + threadIdx.x % kWarpLanes;
  const uint32_t begins = own < arguments.parts.windows ? arguments.parts.begins[own] : kNone;
  for (unsigned left = __ballot_sync(kAllLanes, begins != kNone); left != 0; left &= left - 1) {
    const uint32_t segment = __shfl_sync(kAllLanes, begins, __ffs(static_cast<int>(left)) - 1);
    const uint64_t first = arguments.first(segment);
    const bool begins_inside = first % kWindow != 0;
    const Value rest = fold_by_block<kJoinWarps>(
        arguments.parts.from_first, first / kWindow + (begins_inside ? 1 : 0),
        (arguments.last(segment) - 1) / kWindow + 1, false, monoid);
    if (threadIdx.x == 0) {
      arguments.results[segment] =
          begins_inside ? monoid(arguments.parts.to_last[first / kWindow], rest) : rest;
    }
    __syncthreads();
  }
}

// Threads that have a segment each, for n values in `segments` segments: a warp or a block.
// Requires: segments >= 1
constexpr SegmentGroup apart_group(uint64_t n, uint64_t segments, size_t value_bytes) {
  const uint64_t most_of_warps = n < uint64_t{1} << 24   ? 1400
                                 : n < uint64_t{1} << 26 ? 2900
                                                         : 12000;
  const uint64_t mean = n / segments;
  const uint64_t mean_bytes = mean * value_bytes;
  return mean < most_of_warps ? SegmentGroup::warp
         : mean_bytes < 6144  ? SegmentGroup::block4
         : mean_bytes < 32768 ? SegmentGroup::block8
                              : SegmentGroup::block16;
}

// Launches both kernels, with a group of threads for each segment: a warp, or a block of 4, 8 or 16
// warps. Requires: 1 <= segments < 2^30; 1 <= n; long_apart_scratch_bytes() of scratch
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Offset, class Value, class M>
void reduce_long_apart(cudaStream_t stream, SegmentGroup group, std::span<const Value> values,
                       const Offset* offsets, uint64_t segments, Value* results, const M& monoid,
                       std::span<std::byte> scratch) {
  Carver carver(scratch.data());
  const uint64_t n = values.size();
  const LongApartArguments<Offset, Value> arguments{
      values.data(),
      offsets,
      results,
      n,
      static_cast<uint32_t>(segments),
      are_packs_aligned<kPackOf<Value>>(values.data()),
      LongParts<Value>::take(carver, n)};
  const auto by_blocks = [&]<int kWarps>() {
    const auto blocks = static_cast<unsigned>(arguments.parts.windows + segments);
    reduce_long_apart_kernel<kWarps><<<blocks, kWarps * kWarpLanes, 0, stream>>>(arguments, monoid);
  };
  if (group == SegmentGroup::warp) {
    const auto blocks =
        static_cast<unsigned>(arguments.parts.windows + (segments + kApartWarps - 1) / kApartWarps);
    reduce_by_warps_apart_kernel<<<blocks, kApartWarps * kWarpLanes, 0, stream>>>(arguments,
                                                                                  monoid);
  } else if (group == SegmentGroup::block4) {
    by_blocks.template operator()<4>();
  } else if (group == SegmentGroup::block8) {
    by_blocks.template operator()<8>();
  } else {
    by_blocks.template operator()<16>();
  }
  PRESORT_CUDA(cudaGetLastError());
  cudaLaunchAttribute early[1];
  early[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim =
      dim3(static_cast<unsigned>((arguments.parts.windows + kWarpLanes - 1) / kWarpLanes));
  config.blockDim = dim3(kJoinWarps * kWarpLanes);
  config.stream = stream;
  config.attrs = early;
  config.numAttrs = 1;
  PRESORT_CUDA(
      cudaLaunchKernelEx(&config, join_long_parts_kernel<Offset, Value, M>, arguments, monoid));
}

// Launches both kernels with groups by the mean length of the segments.
template <class Offset, class Value, class M>
void reduce_long_apart(cudaStream_t stream, std::span<const Value> values, const Offset* offsets,
                       uint64_t segments, Value* results, const M& monoid,
                       std::span<std::byte> scratch) {
  reduce_long_apart(stream, apart_group(values.size(), segments, sizeof(Value)), values, offsets,
                    segments, results, monoid, scratch);
}

}  // namespace presort::gpu
