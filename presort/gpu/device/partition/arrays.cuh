// The arrays in device memory that a pass of a partition (gpu/device/partition/partition.cuh) works
// with.
#pragma once

#include <cstdint>

#include "presort/gpu/device/partition/output.cuh"
#include "presort/gpu/device/partition/rooms.cuh"
#include "presort/gpu/device/partition/tile_places.cuh"

namespace presort::inline v0::gpu {

// A list of tiles by their numbers, in any order. Shapes: numbers[tiles of the pass]; *count 0 at
// first
struct TileList {
  uint32_t* numbers = nullptr;
  uint32_t* count = nullptr;

  __device__ void add(uint64_t tile) const {
    numbers[atomicAdd(count, 1u)] = static_cast<uint32_t>(tile);
  }
};

template <class Output>
struct PartitionArrays {
  Output out;
  const uint64_t* begins;       // begins[digits]: first place of each digit in the output
  unsigned long long* cursors;  // cursors[digits]: next free place of each digit; Order::any
  TilePlaces places;            // places in the output of each tile's digits; Order::stable
  TileList disordered;          // tiles to partition again; Ranking::by_lanes
  // Parts that the first pass from the top made; the second pass partitions each by itself. begins
  // and cursors then belong to all digits of all parts. Null where there is one part.
  const uint32_t* tile_begins =
      nullptr;  // tile_begins[parts + 1]: number of each part's first tile
  uint32_t parts = 1;
  PartitionRooms rooms = {};  // rooms for digits; null pointers: every input has a place
};

}  // namespace presort::gpu
