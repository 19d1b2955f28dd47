// By how many threads a GPU reduces a segment, where segments have a group of threads each
// (device/ordered/reduce_in_groups.cuh). No CUDA types.
#pragma once

#include <cstdint>

namespace presort::inline v0::gpu {

// Number of threads that have a segment each.
enum class SegmentGroup { none, lane, lanes8, warp, block4, block8, block16 };

// Most values of a call whose segments have groups.
inline constexpr uint64_t kMostGroupedValues = uint64_t{1} << 21;

// Threads of a group for n values in `segments` segments; none if these are reduced in other ways.
// Read off µs of sums of f32 in segments of up to twice a length, as calls were before, by a lane,
// eight lanes, a warp, a block of 4 and of 8 warps, and by CUB (one H100, 2026-11-26):
//   n     length  before  lane  8 lanes  warp  4 warps  8 warps  CUB
//   2^14  3       11.3    6.1   6.1      7.5   9.9      14.6     9.8
//   2^18  3       17.1    7.7   13.0     38    123      195      66
//   2^18  20      15.6    21.1  7.9      12.4  27       40       17.9
//   2^18  109     13.5    22.8  8.4      7.5   10.3     12.6     8.7
//   2^18  512     7.8     28    9.2      7.1   6.9      8.0      7.1
//   2^20  109     16.1    22.5  9.8      10.1  22       31       14.2
//   2^20  512     15.3    28    9.6      7.6   10.1     12.5     8.6
//   2^20  2048    8.7     114   23.9     11.7  7.0      7.8      7.5
//   2^20  4096    8.6     179   32       13.0  7.6      7.6      8.1
//   2^20  16384   8.6     68    51       37    13.9     12.4     12.1
constexpr SegmentGroup segment_group(uint64_t n, uint64_t segments) {
  constexpr uint64_t kMostSegments = uint64_t{1} << 22;
  constexpr uint64_t kFewValues = uint64_t{1} << 18;
  constexpr uint64_t kFewSegments = 384;  // about three blocks of a multiprocessor
  if (segments == 0 || segments > kMostSegments || n == 0 || n > kMostGroupedValues) {
    return SegmentGroup::none;
  }
  if (n <= kFewValues && segments <= kFewSegments) {
    constexpr uint64_t kOfOneBlock = uint64_t{1} << 16;
    return segments <= 2 && n > kOfOneBlock ? SegmentGroup::block16 : SegmentGroup::none;
  }
  const uint64_t mean = n / segments;
  return mean < 12     ? SegmentGroup::lane
         : mean < 80   ? SegmentGroup::lanes8
         : mean < 1400 ? SegmentGroup::warp
         : mean < 3000 ? SegmentGroup::block4
         : mean < 6144 ? SegmentGroup::block8
                       : SegmentGroup::none;
}

}  // namespace presort::gpu
