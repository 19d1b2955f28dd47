// Chooses the slices of a sequence of items that are timed in a simulation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace presort::inline v0::predict {

// Number of items in a slice; they are timed together
inline constexpr uint64_t kSliceItems = 8192;
// Number of items before a slice that are timed but not counted
inline constexpr uint64_t kLeadItems = 1024;
// Most items of a sequence that is timed as a whole, without sampling
inline constexpr uint64_t kWholeItems = 1 << 17;
// Most items of a sequence that several threads replay (replay.h)
inline constexpr uint64_t kReplayItems = 1 << 22;
// Slices begin at multiples of this number of items. Kernels work on blocks of 16 to 256 inputs, of
// which the first begins with the first input: a block that began elsewhere would touch one line more.
// Measured: docs/results/sampling.md, "Slices begin with a block"
inline constexpr uint64_t kBlockItems = 256;
inline constexpr int kMinSlices = 4;
inline constexpr int kMaxSlices = 48;

// The first item of the k-th slice of `length` items out of n. The slices follow the van der Corput
// sequence, so that any number of slices covers the whole evenly.
// Requires: length <= n
inline uint64_t slice_start(uint64_t k, uint64_t n, uint64_t length) {
  uint64_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit) {
    reversed = reversed << 1 | (((k + 1) >> bit) & 1);
  }
  const double fraction = static_cast<double>(reversed) * 0x1.0p-32;
  return static_cast<uint64_t>(fraction * static_cast<double>(n - length));
}

// The last item up to `item` with which a block begins.
inline uint64_t begin_of_block(uint64_t item) {
  return item - item % kBlockItems;
}

struct Interval {
  uint64_t first;
  uint64_t last;
};

// Most items of a stratum that are timed, in its middle
inline constexpr uint64_t kStratumItems = kSliceItems / 2;

// Strata of items [0, n), cut at kStratumItems times powers of two. Effects that occur once, at the
// start of a partition, fade as items go on: they are timed whole at first, and then closely enough
// that the middle of a stratum stands for all of it.
// Measured: docs/results/sampling.md, "Strata of a part"
inline std::vector<Interval> geometric_strata(uint64_t n) {
  std::vector<Interval> strata;
  for (uint64_t first = 0, last = kStratumItems; first < n; last *= 2) {
    strata.push_back({first, std::min(n, last)});
    first = strata.back().last;
  }
  return strata;
}

}  // namespace presort::predict
