// Reduces consecutive segments of an array on a GPU: results[s] = identity ⊙ the values of segment
// s, which are those from offsets[s] up to offsets[s + 1]; without offsets, those from s · length
// up to (s + 1) · length. A segment without values is reduced to the identity.
//   gpu::segmented_reduce(stream, values, offsets, results, Sum<float>{}, scratch);
//   gpu::segmented_reduce(stream, values, length, results, Sum<float>{}, scratch);
// Shapes:   values[n], results[s]; offsets[s + 1]; without offsets n = length · s;
//           scratch[segmented_reduce_scratch_bytes<Value, Offset>(n, s), or
//           even_reduce_scratch_bytes<Value>(n, length)]; all in device memory
// Units:    n, s, length in elements; the scratch in bytes, aligned to 64
// Requires: 0 <= offsets[0] <= offsets[1] <= … <= n, which check_offsets.cuh checks; values of any
//           trivially copyable type of up to 64 bytes; no overlap
// Errors:   PlanError when lengths do not fit or the scratch is too small or misaligned; SpanError
//           when an array is misaligned, or one that is written overlaps another; before anything
//           is launched. EnvironmentError with CUDA's own words when a launch is refused
// Order:    left to right: ⊙ need not commute. What is grouped depends on n, the offsets and the
//           type alone: sums that round are the same bits in every run
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits (gpu/scan.cuh).
//           One launch for segments of one length of up to 16384 values (2^18, if ⊙ commutes), for
//           up to 2^18 values in up to 2048 segments, and for up to 2^17 in segments of 64 and more
//           on average; where ⊙ commutes on values of up to 8 bytes, for most calls of up to 2^21
//           values (device/ordered/reduce_in_groups.cuh)
// Sizes:    no hint on the lengths of segments is needed: every warp has as many values and ends of
//           segments as any other, be the segments huge, tiny or empty. Up to 2^21 values, each
//           segment has a group of threads by the mean length, which leaves long ones to more
//           threads; of more values in segments that are long on average, a block has each, and
//           long ones are shared (device/ordered/reduce_long_apart.cuh)
// Source:   Larsen and Henriksen 2017, whose three strategies are here what a warp does with a tile
//           that has many ends, few, or none
#pragma once

#include <algorithm>
#include <span>

#include "presort/gpu/device/for_each_pack.cuh"
#include "presort/gpu/device/ordered/reduce_aligned_segments.cuh"
#include "presort/gpu/device/ordered/reduce_each_segment.cuh"
#include "presort/gpu/device/ordered/reduce_in_groups.cuh"
#include "presort/gpu/device/ordered/reduce_long_apart.cuh"
#include "presort/gpu/device/ordered/reduce_segments.cuh"
#include "presort/gpu/segmented_scan.cuh"

namespace presort::inline v0::gpu {

// Bytes of scratch that segmented_reduce needs for s segments of n values in all.
template <class Value, class Offset>
size_t segmented_reduce_scratch_bytes(uint64_t n, uint64_t s) {
  const size_t bytes =
      reduce_segments_scratch_bytes<Value>(OffsetSegments<Offset>{nullptr, s + 1, n});
  return std::max({bytes, reduces_long_apart(n, s) ? long_apart_scratch_bytes<Value>(n) : 0,
                   segment_group(n, s) != SegmentGroup::none ? groups_scratch_bytes<Value>(n) : 0});
}

// True if one or two long segments of one length are shared by several blocks, in one launch.
// Requires: n >= 1
constexpr bool shares_even_segments(uint64_t n, uint64_t length) {
  return length > 0 && segment_group(n, n / length) == SegmentGroup::block16;
}

// Bytes of scratch that a segmented reduction needs for n values in segments of equal length.
template <class Value>
size_t even_reduce_scratch_bytes(uint64_t n, uint64_t length) {
  if (n == 0) {
    return 0;
  }
  const size_t bytes = reduce_segments_scratch_bytes<Value>(EvenSegments{length, n});
  return shares_even_segments(n, length) ? std::max(bytes, groups_scratch_bytes<Value>(n)) : bytes;
}

// Sets the results of empty segments to the identity.
template <class Value>
struct FillResults {
  Value value;
  Value* results;
  template <int kCount>
  bool is_aligned() const {
    return true;
  }
  template <int kCount>
  __device__ void run(uint64_t first) const {
    for (int i = 0; i < kCount; ++i) {
      results[first + i] = value;
    }
  }
};

template <class Offset, class Value, Monoid<Value> M>
void segmented_reduce(cudaStream_t stream, std::span<const Value> values,
                      std::span<const Offset> offsets, std::span<Value> results, const M& monoid,
                      std::span<std::byte> scratch) {
  check_lengths("offsets", offsets.size(), "results, and one more", results.size() + 1);
  check_scratch(scratch,
                segmented_reduce_scratch_bytes<Value, Offset>(values.size(), results.size()));
  check_arrays({placed_array("values", values), placed_array("offsets", offsets),
                placed_array("results", results), placed_array("scratch", scratch)});
  const EachOffsetSegment<Offset> each{offsets.data(), values.size()};
  if constexpr (joins_lanes_once<Value, M>()) {
    const SegmentGroup group = segment_group(values.size(), results.size());
    if (group != SegmentGroup::none) {
      return reduce_in_groups(stream, group, values.data(), values.size(), each, results.size(),
                              results.data(), reinterpret_cast<Value*>(scratch.data()), monoid);
    }
  }
  if (reduces_each_segment(values.size(), results.size())) {
    reduce_each_segment(stream, values.data(), each, results.size(), results.data(), monoid);
  } else if (joins_lanes_once<Value, M>() && reduces_long_apart(values.size(), results.size())) {
    reduce_long_apart(stream, values, offsets.data(), results.size(), results.data(), monoid,
                      scratch);
  } else if (!results.empty()) {
    reduce_segments(stream, values.data(), results.data(),
                    OffsetSegments<Offset>{offsets.data(), offsets.size(), values.size()}, monoid,
                    scratch);
  }
}

// Reduces segments of equal length; see the top of this file.
template <class Value, Monoid<Value> M>
void segmented_reduce(cudaStream_t stream, std::span<const Value> values, uint64_t length,
                      std::span<Value> results, const M& monoid, std::span<std::byte> scratch) {
  const uint64_t n = values.size();
  check_lengths("values", n, "results, times the length of a segment,",
                saturating_multiply(length, results.size()));
  check_scratch(scratch, even_reduce_scratch_bytes<Value>(n, length));
  check_arrays({placed_array("values", values), placed_array("results", results),
                placed_array("scratch", scratch)});
  if constexpr (joins_lanes_once<Value, M>()) {
    if (n > 0 && shares_even_segments(n, length)) {
      return launch_in_groups<16 * kWarpLanes, 16>(
          stream, values.data(), n, EachEvenSegment{length}, results.size(), results.data(),
          reinterpret_cast<Value*>(scratch.data()), monoid);
    }
  }
  if (n > 0 && are_aligned_segments<Value>(n, length)) {
    reduce_aligned_segments(stream, values.data(), n, length, results.data(), monoid);
  } else if (n > 0 && reduces_each_even_segment<Value, M>(results.size(), length)) {
    reduce_each_segment(stream, values.data(), EachEvenSegment{length}, results.size(),
                        results.data(), monoid);
  } else if (n > 0) {
    reduce_segments(stream, values.data(), results.data(), EvenSegments{length, n}, monoid,
                    scratch);
  } else if (!results.empty()) {
    for_each_pack(stream, FillResults<Value>{monoid.identity(), results.data()}, results.size());
  }
}

}  // namespace presort::gpu
