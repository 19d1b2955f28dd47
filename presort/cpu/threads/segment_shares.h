// How threads divide consecutive segments of an array: by values and segments alike, so that
// neither long segments nor many empty ones are all one thread's. An ⊙ that associates may be cut
// within a segment; what precedes a share in its first segment is then carried to it. The work of
// an ⊙ that does not associate (sums that round) is cut between segments, so that each is one fold
// from left to right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "presort/core/monoid.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// A cut between two threads' shares of segments: before value number `value` of a segment. Value 0 means
// that the segment begins there.
struct SegmentCut {
  size_t segment = 0;
  size_t value = 0;
};

// The cut at which the share of thread t begins; for t = threads, the cut at which the last share ends.
// Requires: offsets are those of consecutive segments; (values + segments) · threads < 2^64
template <class M, class Offset>
SegmentCut cut_segments(std::span<const Offset> offsets, size_t t, size_t threads) {
  const size_t segments = offsets.size() - 1;
  const auto before = [&](size_t s) { return s + static_cast<size_t>(offsets[s] - offsets[0]); };
  const size_t item = before(segments) * t / threads;
  size_t low = 0;  // bisection: the last segment with at most `item` items before it
  for (size_t high = segments; low < high;) {
    const size_t middle = low + (high - low + 1) / 2;
    if (before(middle) <= item) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const auto begin = static_cast<size_t>(offsets[low]);
  // Work is counted in items: a segment's head, numbered 0, and its values
  const size_t inside = item - before(low);
  return {low, associates<M>() && inside > 1 ? begin + inside - 1 : begin};
}

// One thread's share of the segments: the rest of a segment, whole segments, and the beginning of a
// segment.
struct SegmentShare {
  SegmentCut first;
  SegmentCut last;

  bool is_inside_one() const { return first.segment == last.segment; }
};

template <class M, class Offset>
SegmentShare segment_share(std::span<const Offset> offsets, size_t t, size_t threads) {
  return {cut_segments<M>(offsets, t, threads), cut_segments<M>(offsets, t + 1, threads)};
}

// Number of head flags that are tested together, in vector code.
inline constexpr size_t kHeadBlock = 256;

// True if a head flag is set among values [first, first + kHeadBlock).
inline bool block_has_head(std::span<const uint8_t> heads, size_t first) {
  uint8_t any = 0;
  for (size_t i = first; i < first + kHeadBlock; ++i) {
    any |= heads[i];
  }
  return any != 0;
}

// Index of the first head flag among values [first, n), or n if there is none.
inline size_t next_head(std::span<const uint8_t> heads, size_t first) {
  while (first + kHeadBlock <= heads.size() && !block_has_head(heads, first)) {
    first += kHeadBlock;
  }
  while (first < heads.size() && heads[first] == 0) {
    ++first;
  }
  return first;
}

// Index of the last head flag among values [first, last), or `last` if there is none.
inline size_t last_head(std::span<const uint8_t> heads, size_t first, size_t last) {
  size_t end = last;
  while (end >= first + kHeadBlock && !block_has_head(heads, end - kHeadBlock)) {
    end -= kHeadBlock;
  }
  while (end > first) {
    if (heads[--end] != 0) {
      return end;
    }
  }
  return last;
}

// The range of values that thread t takes when segments begin at heads.
template <class M>
Share flagged_share(std::span<const uint8_t> heads, size_t t, size_t threads) {
  Share share = share_of(heads.size(), t, threads);
  if (!associates<M>()) {
    share.first = t == 0 ? 0 : next_head(heads, share.first);
    share.last = t + 1 == threads ? heads.size() : next_head(heads, share.last);
  }
  return share;
}

// ⊙ of a share's values in the segment in which the share ends.
template <class Value>
struct Tail {
  Value fold;
  bool continues;  // true: no segment begins in the share
};

// Sets carries[t] to ⊙ of the values before share t in the segment that it begins in.
// Requires: on entry, every carry is the identity
template <class Value, class M>
void find_carries(const std::vector<Tail<Value>>& tails, const M& monoid,
                  std::vector<Value>& carries) {
  for (size_t t = 0; t + 1 < tails.size(); ++t) {
    const Tail<Value>& tail = tails[t];
    carries[t + 1] = tail.continues ? monoid(carries[t], tail.fold) : tail.fold;
  }
}

}  // namespace presort::cpu
