// Reduces segments of many values that are long on average, in two launches, by no look-back.
// Some blocks take a segment each, and reduce it unless it is longer than kLongOf. Others,
// between them, take a window of kWindowOf consecutive values, look up which segments its first and
// its last value belong to, and reduce its share of those that are so long. The second launch joins
// the parts of each long segment, in their order. Segments of like lengths thus wait for no search
// and no chain, and a few that are huge are shared by all blocks.
// Shapes:   values[n], offsets[segments + 1], results[segments]; scratch[long_apart_scratch_bytes(n)]
// Order:    left to right; what is grouped depends on n and the offsets alone
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/base/carver.h"
#include "presort/gpu/device/ordered/reduce_each_segment.cuh"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

// True if segments with offsets are reduced by a block for each, long ones apart: many values in
// segments that are long on average. µs of sums of f32 by chunks of equal work, by this way and by
// CUB, by mean length (one H100, 2026-11-26; bench/gpu/ordered/long_apart.cu):
//   lengths           n = 2^20        2^22            2^24            2^26
//   uniform, 512      16.0 10.7  9.2  23.6 17.9 14.6  44.6 51.4 56.5  121 183 205
//   uniform, 1024     14.7  9.3  8.0  22.8 12.6 11.5  44.2 32.1 39.0  117 105 135
//   uniform, 2048     14.8  9.6  8.2  21.9 12.2  9.7  43.1 32.6 31.5  116 108 103
//   uniform, 16384    13.9  9.2 12.8  20.5 11.0 12.8  35.4 29.9 31.4  112  94 104
//   power law, 512    14.8 20.0 25.8  22.5 27.0 47.1  38.9 65.6  197  122 181 507
//   power law, 2048   14.9 12.7 29.9  21.7 19.0 85.6  37.0 40.3 1091  116 112 1543
// Uniform lengths of 2^23 values in all: 512 32.7 31.3 27.2, 1024 31.6 19.8 20.5. Up to 2^21 values
// most such segments have groups of threads (reduce_in_groups.cuh).
inline bool reduces_long_apart(uint64_t n, uint64_t segments) {
  constexpr uint64_t kFewest = uint64_t{1} << 18;
  constexpr uint64_t kMost = uint64_t{1} << 26;
  constexpr uint64_t kSome = uint64_t{1} << 22;
  constexpr uint64_t kMany = uint64_t{1} << 24;
  const uint64_t shortest_mean = n <= kSome ? 480 : n <= kMany ? 768 : 2048;
  return segments > 0 && n > kFewest && n <= kMost && n / segments >= shortest_mean;
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

template <int kWarps, class Offset, class Value, class M>
__global__ void __launch_bounds__(kWarps* kWarpLanes)
    reduce_long_apart_kernel(const __grid_constant__ LongApartArguments<Offset, Value> arguments,
                             const __grid_constant__ M monoid) {
  let_next_launch_start();
  // Blocks of windows are spread evenly among those of segments.
  const uint64_t windows = arguments.parts.windows;
  const uint64_t blocks = windows + arguments.segments;
  const uint64_t window = blockIdx.x * windows / blocks;
  if ((blockIdx.x + uint64_t{1}) * windows / blocks != window) {
    return reduce_window<kWarps>(arguments, window, monoid);
  }
  const auto segment = static_cast<uint32_t>(blockIdx.x - window);
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

// Launches both kernels. Requires: 1 <= segments < 2^30; 1 <= n; long_apart_scratch_bytes() of
// scratch
// Errors:   EnvironmentError when CUDA refuses a launch
template <class Offset, class Value, class M>
void reduce_long_apart(cudaStream_t stream, std::span<const Value> values, const Offset* offsets,
                       uint64_t segments, Value* results, const M& monoid,
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
  const auto blocks = static_cast<unsigned>(arguments.parts.windows + segments);
  const auto launch = [&]<int kWarps>() {
    reduce_long_apart_kernel<kWarps><<<blocks, kWarps * kWarpLanes, 0, stream>>>(arguments, monoid);
    PRESORT_CUDA(cudaGetLastError());
  };
  const uint64_t mean_bytes = n / segments * sizeof(Value);
  if (mean_bytes < 6144) {
    launch.template operator()<4>();
  } else if (mean_bytes < 32768) {
    launch.template operator()<8>();
  } else {
    launch.template operator()<16>();
  }
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

}  // namespace presort::gpu
