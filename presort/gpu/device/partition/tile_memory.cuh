// The shared memory of a block that works on a tile of a partition (gpu/device/partition/tile.cuh).
#pragma once

#include <cstdint>
#include <cub/block/block_scan.cuh>
#include <type_traits>

#include "presort/gpu/block/warp_ranks.cuh"
#include "presort/gpu/device/partition/shape.cuh"

namespace presort::inline v0::gpu {

// The shared memory of a tile. Counters are no longer used when the pairs are sorted, and share
// memory with them.
template <class Shape, class Output, Ranking kRanking>
struct PartitionShared {
  struct OfMasks {
    uint16_t counters[Shape::kWarps][Shape::kDigits];
    uint32_t masks[Shape::kWarps][kMasks<Shape::kBits>];
  };
  struct OfLanes {
    uint32_t counters[Shape::kWarps][Shape::kDigits];
  };
  struct OfBlock {
    uint32_t counters[1][Shape::kDigits];
  };
  using Ranks =
      std::conditional_t<kRanking == Ranking::by_block, OfBlock,
                         std::conditional_t<kRanking == Ranking::by_masks, OfMasks, OfLanes>>;
  union {
    Ranks ranks;
    typename Output::template Tile<Shape::kTile> sorted;
  };
  // Place of each digit in the output, less its place in the sorted tile
  uint64_t place[Shape::kDigits];
  // First place of each digit in the tile sorted in shared memory; only with Ranking::by_block
  uint16_t begin[Shape::kDigits];
  // For Ranking::by_lanes, by which a tile is checked to be in order: 0, then a word for each place
  // in the sorted tile, the digit in its high bits and the input's number in the tile in its low
  // bits. Words ascend if the tile is in order.
  uint32_t order[kRanking == Ranking::by_lanes ? Shape::kTile + 1 : 1];
  typename cub::BlockScan<uint32_t, Shape::kThreads>::TempStorage scan;
  uint32_t part;
  // Number of neighbouring labels in the tile that ascend, in the high 16 bits, and that differ, in
  // the low 16; Ranking::by_block.
  uint32_t neighbours;
};

}  // namespace presort::gpu
