// Pairs that are ordered by the top bits of their labels, cut into slices for blocks, and where a
// block is in its slice.
#pragma once

#include <cstdint>

#include "presort/gpu/detail/digit.h"

namespace presort::inline v0::gpu {

inline constexpr int kAssignThreads = 1024;

// Buckets in a sector of 32 bytes. Memory reads a sector before a part of it is written. So where
// most sectors of a part will be written, its buckets are all loaded early.
inline constexpr uint32_t kBucketsOfSector = 8;  // 4-byte buckets in a sector of 32 bytes

// Cuts ordered pairs [first, n) into slices, one for each block; `first` and n are where parts
// begin. A part that is small against a slice is not cut: the slice ends where the part begins or
// ends, whichever is nearer.
template <class PairType>
struct CutPairs {
  const PairType* pairs;
  uint64_t n;              // index behind the last pair
  uint64_t m;              // number of buckets
  const uint64_t* begins;  // begins[top.count() + 1]: index of the first pair of each part
  Digit top;
  uint64_t slice;      // number of pairs in a slice
  uint64_t first = 0;  // index of the first pair

  // A part is small if it has fewer pairs than slice / kFewestOfSlice
  static constexpr uint64_t kFewestOfSlice = 4;

  __device__ uint32_t part_at(uint64_t pair) const { return top.of(pairs[pair].label); }
  // Index of the pair at which slice `number` begins.
  __device__ uint64_t slice_begin(uint64_t number) const {
    const uint64_t at = first + number * slice;
    if (at == first || at >= n) {
      return min(at, n);
    }
    const uint32_t part = part_at(at);
    const uint64_t begin = begins[part];
    const uint64_t end = begins[part + 1];
    if (kFewestOfSlice * (end - begin) > slice) {
      return at;
    }
    return at - begin < end - at ? begin : end;
  }
  __device__ uint64_t first_bucket(uint32_t part) const {
    return static_cast<uint64_t>(part) << top.shift;
  }
  __device__ uint32_t bucket_count(uint32_t part) const {
    return static_cast<uint32_t>(min(uint64_t{1} << top.shift, m - first_bucket(part)));
  }
};

// The part that a block is working on, among those in its slice. The end of the next part is loaded
// long before it is needed.
template <class PairType>
struct PartCursor {
  const CutPairs<PairType>& cut;
  uint32_t part;
  uint64_t end;       // index behind the last pair of the current part
  uint64_t next_end;  // index behind the last pair of the next part

  // A cursor at pair `at`. Requires: at < n
  __device__ PartCursor(const CutPairs<PairType>& pairs, uint64_t at) : cut(pairs) { find(at); }

  __device__ void find(uint64_t at) {
    part = cut.part_at(at);
    end = cut.begins[part + 1];
    ask_for_next();
  }
  __device__ void ask_for_next() {
    next_end = part + 1 < cut.top.count() ? cut.begins[part + 2] : end;
  }
  // Moves a block's cursor to the next part that has pairs. Requires: end < n
  __device__ void advance() {
    if (next_end == end) {  // part + 1 is empty, and more parts after it may be
      return find(end);
    }
    ++part;
    end = next_end;
    ask_for_next();
  }
};

}  // namespace presort::gpu
