// Segments whose ends are numbered, and how they and their values are divided into pieces of one
// length: end 0 is where the first segment begins, end s + 1 where segment s ends.
//   OffsetSegments   segment s: values from offsets[s] up to offsets[s + 1]
//   EvenSegments     all have the same length
// A piece of OffsetSegments has values and ends together, a fixed number of both: end k follows
// offsets[k] values and k ends, so where a piece begins is found by a search, and neither long
// segments nor empty ones make it larger.
//   piece_length(about)   a suitable length of about that size; are_cut tells
//                         whether segments may then go on in the next piece
// Source: Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", 2016
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

// The values of a piece of the segments, and the ends of segments that lie in it.
struct PieceRange {
  uint64_t first;      // index of the piece's first value
  uint64_t last;       // index behind the piece's last value
  uint64_t first_end;  // number of the first segment end in the piece
  uint64_t last_end;   // number behind the last segment end in the piece
  // True: the piece's first value begins a segment whose begin was counted to the piece before
  bool begins_segment;
};

// Cuts n values into pieces of `length` values each.
struct ValuePieces {
  static uint64_t count(uint64_t n, uint32_t length) { return (n + length - 1) / length; }
  static __device__ PieceRange range(uint32_t piece, uint64_t n, uint32_t length) {
    const uint64_t first = static_cast<uint64_t>(piece) * length;
    return {.first = first, .last = min(n, first + length)};
  }
};

template <class Offset>
struct OffsetSegments {
  static constexpr bool kHasEmpty = true;
  const Offset* offsets;
  uint64_t ends;  // number of segment ends: segments + 1
  uint64_t n;

  uint64_t path() const { return n + ends; }
  uint32_t piece_length(uint32_t about) const { return about; }
  bool are_cut(uint32_t) const { return true; }
  uint64_t pieces(uint32_t length) const { return ValuePieces::count(path(), length); }
  __device__ uint64_t end(uint64_t k) const { return static_cast<uint64_t>(offsets[k]); }

  __device__ PieceRange range(uint32_t piece, uint32_t length) const {
    const uint64_t path_first = static_cast<uint64_t>(piece) * length;
    const bool is_upper = threadIdx.x % kWarpLanes >= kWarpLanes / 2;
    const uint64_t found = first_end_at(path_first + (is_upper ? length : 0));
    PieceRange range;
    range.first_end = __shfl_sync(kAllLanes, found, 0);
    range.last_end = __shfl_sync(kAllLanes, found, kWarpLanes - 1);
    range.first = min(path_first - range.first_end, n);
    // Values behind the last segment end belong to no segment
    range.last =
        range.first_end == ends ? range.first : min(path_first + length - range.last_end, n);
    range.begins_segment = range.first_end > 0 && end(range.first_end - 1) == range.first;
    return range;
  }

 private:
  // The first segment end at or behind a place in the merged sequence of values and ends; `ends` if
  // there is none. Each half of the warp searches for a place of its own, 16 ends at a time.
  // Requires: all lanes call it
  __device__ uint64_t first_end_at(uint64_t place) const {
    constexpr unsigned kLanes = kWarpLanes / 2;
    const unsigned lane = threadIdx.x % kLanes;
    const unsigned half = threadIdx.x % kWarpLanes / kLanes;
    uint64_t first = 0;
    uint64_t last = ends;  // the wanted end's number lies in [first, last]
    while (__any_sync(kAllLanes, first < last)) {
      const uint64_t step = (last - first + kLanes - 1) / kLanes;
      const uint64_t own = first + (lane + 1) * step - 1;
      const bool is_before = own < last && own + end(own) < place;
      const unsigned before =
          __popc(__ballot_sync(kAllLanes, is_before) >> (half * kLanes) & ((1u << kLanes) - 1));
      first += before * step;
      last = step > 0 ? min(last, first + step - 1) : first;
    }
    return first;
  }
};

struct EvenSegments {
  static constexpr bool kHasEmpty = false;
  uint64_t length;  // number of values of a segment, at least 1
  uint64_t n;

  uint64_t path() const { return n; }
  // Length of a piece in values: whole segments, unless segments are long.
  uint32_t piece_length(uint32_t about) const {
    constexpr uint64_t kLong = 16384;
    return length > kLong ? about
                          : static_cast<uint32_t>(std::max(length, about / length * length));
  }
  bool are_cut(uint32_t of_piece) const { return of_piece % length != 0; }
  uint64_t pieces(uint32_t of_piece) const { return ValuePieces::count(n, of_piece); }
  __device__ uint64_t end(uint64_t k) const { return k * length; }
  __device__ PieceRange range(uint32_t piece, uint32_t of_piece) const {
    PieceRange range = ValuePieces::range(piece, n, of_piece);
    range.first_end = range.first == 0 ? 0 : range.first / length + 1;
    range.last_end = range.last / length + 1;
    range.begins_segment = range.first > 0 && (range.first_end - 1) * length == range.first;
    return range;
  }
};

}  // namespace presort::gpu
