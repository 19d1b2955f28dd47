// Pairs that are ordered by the top bits of their labels, cut into slices for blocks, and where a
// block is in its slice.
#pragma once

#include <cstdint>

#include "presort/gpu/detail/digit.h"

namespace presort::inline v0::gpu {

inline constexpr int kAssignThreads = 1024;

// A sector that is written in part is read too: where most are, all are asked for early.
inline constexpr uint32_t kBucketsOfSector = 8;  // of 4 bytes

// The n pairs, cut into slices. A part that is small against a slice is not cut: the slice ends
// where it begins or ends, whichever is nearer.
template <class PairType>
struct CutPairs {
  const PairType* pairs;
  uint64_t n;
  uint64_t m;              // buckets
  const uint64_t* begins;  // [top.count() + 1]: where each part starts
  Digit top;
  uint64_t slice;  // pairs of one

  static constexpr uint64_t kFewestOfSlice = 4;  // of a slice, such small parts

  __device__ uint32_t part_at(uint64_t pair) const { return top.of(pairs[pair].label); }
  // Where slice `number` begins, and the one before it ends.
  __device__ uint64_t slice_begin(uint64_t number) const {
    const uint64_t at = number * slice;
    if (at == 0 || at >= n) {
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

// The part that a block is in, of those that its slice meets. The end of the next one is asked for
// long before it is needed.
template <class PairType>
struct PartCursor {
  const CutPairs<PairType>& cut;
  uint32_t part;
  uint64_t end;       // of the part
  uint64_t next_end;  // of the part behind it

  // Requires: at < n
  __device__ PartCursor(const CutPairs<PairType>& pairs, uint64_t at) : cut(pairs) { find(at); }

  __device__ void find(uint64_t at) {
    part = cut.part_at(at);
    end = cut.begins[part + 1];
    ask_for_next();
  }
  __device__ void ask_for_next() {
    next_end = part + 1 < cut.top.count() ? cut.begins[part + 2] : end;
  }
  // Requires: end < n
  __device__ void advance() {
    if (next_end == end) {  // an empty part, and who knows how many
      return find(end);
    }
    ++part;
    end = next_end;
    ask_for_next();
  }
};

}  // namespace presort::gpu
