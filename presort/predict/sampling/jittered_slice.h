// Random places of sampled slices, evenly spread over a sequence of items.
#pragma once

#include <cstdint>

#include "presort/core/base/random.h"
#include "presort/predict/sampling/slices.h"

namespace presort::inline v0::predict {

// The first item of the k-th slice of `length` items out of n, at a random place within one of 64
// equal cells of the sequence. Cells follow the van der Corput sequence; no two of the first 63
// slices share a cell. Binary fractions of the sequence themselves would err: with sorted labels
// they are where a page of buckets, or of page tables, begins.
// Requires: k < 63, length <= n
inline uint64_t jittered_slice_start(uint64_t k, uint64_t n, uint64_t length, uint64_t seed) {
  constexpr uint64_t kCells = 64;
  static_assert(kMaxSlices <= 63);
  const uint64_t cell = (n - length) / kCells;
  const uint64_t room = cell > length ? cell - length : 0;  // slices of two cells do not overlap
  return slice_start(k, n, length) + bounded(random_u64(seed, k), room + 1);
}

}  // namespace presort::predict
