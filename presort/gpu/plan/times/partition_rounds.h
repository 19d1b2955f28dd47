// Rounds of a partition's tiles: a multiprocessor has few tiles at a time, and in the last round
// some multiprocessors have none. No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu {

// A tile waits for its labels and for its values, both from memory, and in latencies of the L2 for
// the places of its digits, by an atomic that returns, and at barriers and sums of a block.
inline constexpr double kMemoryWaitsOfTile = 2;
inline constexpr double kL2WaitsOfTile = 3;

// Integer instructions of a warp for a row of 32 inputs: half of the 42 that a full tile takes
// (gpu/device/partition/tile.cuh).
inline constexpr double kIntegersOfTileRow = 21;

// Rounds of the tiles of one pass over n inputs.
class PartitionRounds {
 public:
  // Tiles begin anew with each of `parts` parts.
  PartitionRounds(uint64_t n, const TileShape& tile, int multiprocessors, double parts = 1)
      : tiles_(static_cast<double>(n) / tile.inputs + (parts > 1 ? parts / 2 : 0)),
        at_once_(static_cast<double>(multiprocessors) * tile.blocks),
        parts_(parts) {}

  double tiles() const { return std::max(tiles_, 1.0); }

  // Kernels beside the one that moves full tiles. The last tile has a launch of its own behind one
  // round of tiles or more. Before a second pass another kernel finds the tiles of each part.
  int more_kernels() const { return parts_ > 1 || tiles_ >= at_once_ ? 1 : 0; }

  // Time, ns, by which the last round takes longer than its share of all_ns, the time of all tiles.
  //   own_ns: time of a tile that has its multiprocessor alone
  double last_round_ns(double all_ns, double own_ns) const {
    const double left = tiles_ - at_once_ * std::floor(tiles_ / at_once_);
    return left > 0 ? std::max(0.0, own_ns - left * all_ns / tiles_) : 0;
  }

 private:
  double tiles_;
  double at_once_;
  double parts_;
};

}  // namespace presort::gpu
