// The waits of the warps that join sorted tiles (device/ordered/sorted_tiles.cuh), and how many
// stores and reads of tiles go to sectors of their own, in closed form: measured latencies times
// how often one access follows another in the kernel. Nothing is fitted to the time of a run. No
// CUDA types. Source: the accesses are counted in the kernels; the latencies are those of the
// machine file
//         (core/machine/gpu.h), measured by bench/gpu/ordered/waits.cu
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/core/machine/gpu.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// The values of the kernels; a GPU test compares them.
constexpr uint64_t sorted_tile_size(uint64_t n) {
  constexpr uint64_t kFewInputs = uint64_t{1} << 18;
  return n <= kFewInputs ? 1024 : 2048;
}
constexpr int table_bits_of_range(int label_bits, uint64_t n, uint64_t value_bytes) {
  constexpr uint64_t kFewInputs = uint64_t{1} << 15;
  const int range_bits = n <= kFewInputs ? 8 : 10;
  return std::min(std::max(0, label_bits - range_bits), most_table_bits(value_bytes));
}

// How the inputs and the buckets of a problem are divided; inputs and labels are expected numbers.
class TileWaits {
 public:
  // Requires: n, m >= 1; value_bytes <= kMostTabledBytes
  TileWaits(uint64_t n, uint64_t m, int label_bits, uint64_t value_bytes)
      : inputs_(static_cast<double>(n)),
        tile_(static_cast<double>(std::min(n, sorted_tile_size(n)))),
        rows_(value_bytes <= 8 ? 4 : 1) {
    const double buckets = static_cast<double>(m);
    tiles_ = std::ceil(inputs_ / static_cast<double>(sorted_tile_size(n)));
    ranges_ = std::ceil(std::ldexp(buckets, -table_bits_of_range(label_bits, n, value_bytes)));
    // Labels of a tile, each once, where labels are uniform
    labels_ = buckets * -std::expm1(-tile_ / buckets);
  }

  // Places at which tiles note where their ranges begin: each is a store by itself.
  double begins() const { return tiles_ * (ranges_ + 1); }

  // Labels that tiles leave, all together: a join reads a label and a value of each.
  double labels() const { return tiles_ * labels_; }

  // Runs of consecutive labels that warps read, and runs of values, in sectors of their own.
  double runs() const { return tiles_ * std::min(ranges_, labels_); }

  // Time, ns, that a warp takes to go through all tiles if it waits for nothing but its own
  // accesses. It takes the tiles by 32, whose places it has asked for before, and what they have of
  // its range by rows of 32: it adds up 32 counts and finds each entry's tile by shuffles, which
  // take as long as a read of shared memory; it reads labels and values from the L2; and for each
  // row it marks the lanes of a bucket, reads the mark, reads the bucket and writes it.
  double chain_ns(const Gpu& gpu) const {
    constexpr double kTilesOfBatch = 32;
    constexpr double kShufflesOfCounts = 5;
    constexpr double kShufflesOfSearch = 6;
    constexpr double kAccessesOfRow = 4;
    const double batches = std::ceil(tiles_ / kTilesOfBatch);
    const double entries = std::min(tiles_, kTilesOfBatch) * labels_ / ranges_;
    const double steps = std::ceil(entries / (kTilesOfBatch * rows_));
    const double step =
        gpu.l2_latency_ns + gpu.shared_latency_ns * (kShufflesOfSearch + kAccessesOfRow * rows_);
    return batches * (kShufflesOfCounts * gpu.shared_latency_ns + steps * step);
  }

 private:
  double inputs_;
  double tile_;
  double rows_;  // rows that a warp reads at once
  double tiles_ = 0;
  double ranges_ = 0;
  double labels_ = 0;
};

}  // namespace presort::gpu
