// One pass of a partition: pairs ordered by one digit of their labels. Inputs are read once and
// written once, after a histogram of all of them has told where each digit starts.
//   Order::stable  inputs of equal digits in their order: the histogram counted each
//                  tile (gpu/device/partition/tile_places.cuh), so a tile knows where its digits go
//   Order::any     in any order, maybe another one in each call: a tile takes the next places of a
//                  digit by an atomic; where only a sample was counted, in a room for the digit
//                  that may end before all are in (gpu/device/partition/rooms.cuh)
#pragma once

#include <cstdint>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/device/partition/arrays.cuh"
#include "presort/gpu/device/partition/shape.cuh"
#include "presort/gpu/device/partition/tile.cuh"

namespace presort::inline v0::gpu {

// Partitions a block's tile; lists it if it is not in order.
template <class Shape, Ranking kRanking, bool kIsFull, class LaneRanks, class Input, class Output>
__device__ void partition_tile(const Input& input, uint64_t n,
                               const PartitionArrays<Output>& arrays, Digit digit, uint64_t number,
                               unsigned char* shared) {
  using Tile = PartitionTile<Shape, kRanking, kIsFull, LaneRanks, Input, Output>;
  Tile tile{input, arrays, digit, *reinterpret_cast<typename Tile::Shared*>(shared), number};
  if (tile.take(n)) {
    const bool is_in_order = tile.run();
    if constexpr (kRanking == Ranking::by_lanes) {
      if (__syncthreads_or(!is_in_order) != 0 && threadIdx.x == 0) {
        arrays.disordered.add(tile.tile);
      }
    }
  }
}

// The partition kernel for tiles first_tile + blockIdx.x, one for each block.
template <class Shape, Ranking kRanking, bool kIsFull, class LaneRanks, class Input, class Output>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    partition_kernel(Input input, uint64_t n, uint64_t first_tile, PartitionArrays<Output> arrays,
                     Digit digit) {
  extern __shared__ __align__(16) unsigned char raw[];
  partition_tile<Shape, kRanking, kIsFull, LaneRanks>(input, n, arrays, digit,
                                                      first_tile + blockIdx.x, raw);
}

// Partitions the last tile, which is not full. Not inlined, so that its registers do not count for
// the caller.
template <class Shape, Ranking kRanking, class LaneRanks, class Input, class Output>
__device__ __noinline__ void partition_last_tile(Input input, uint64_t n,
                                                 PartitionArrays<Output> arrays, Digit digit) {
  extern __shared__ __align__(16) unsigned char raw[];
  partition_tile<Shape, kRanking, false, LaneRanks>(input, n, arrays, digit, n / Shape::kTile, raw);
}

// The partition kernel for all tiles of one part. The first block takes the last tile if that is
// not full. In a launch of its own behind all others, that tile made every multiprocessor but one
// wait.
template <class Shape, Ranking kRanking, class LaneRanks, class Input, class Output>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    partition_all_kernel(Input input, uint64_t n, PartitionArrays<Output> arrays, Digit digit) {
  extern __shared__ __align__(16) unsigned char raw[];
  const uint64_t rest = n % Shape::kTile > 0 ? 1 : 0;
  if (blockIdx.x < rest) {
    partition_last_tile<Shape, kRanking, LaneRanks>(input, n, arrays, digit);
  } else {
    partition_tile<Shape, kRanking, true, LaneRanks>(input, n, arrays, digit, blockIdx.x - rest,
                                                     raw);
  }
}

// True if one kernel partitions all tiles of a part, the last one first; false if a second kernel
// does the last tile. ns an input, stable, u32 + u32 from two arrays, n = 2^28, with the histogram
// (one H200, 2026-11-22):
//   bits         5        7        8        9        10       11
//   one kernel   0.00579  0.00604  0.00628  0.00809  0.00904  0.01283
//   two kernels  0.00567  0.00613  0.00642  0.00814  0.00912  0.01340
// In any order, by 9 bits: 0.0070 with one kernel, 0.0063 with two. Where inputs are pairs, one
// kernel puts 216 bytes a thread on the stack instead of 72.
template <Order kOrder, class Shape, class Input, class Output>
inline constexpr bool kTakesLastTileFirst =
    kOrder == Order::stable&& Output::kBytes <= 8 &&
    !PartitionTile<Shape, kRankingOf<kOrder, Shape>, true, AtomicLaneRanks, Input,
                   Output>::kReadsPairs;

// The kernel that partitions listed tiles once more and overwrites their earlier output, as their
// digits have the same places. Without a list it partitions all tiles. In a kernel of its own,
// because a call in the first kernel, even if never made, moved the registers of every tile to the
// stack: 0.0098 ns an input instead of 0.0054 (one H200, 8 bits, 2026-11-22).
template <class Shape, class Input, class Output>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    partition_by_masks_kernel(Input input, uint64_t n, PartitionArrays<Output> arrays,
                              Digit digit) {
  using Tile = PartitionTile<Shape, Ranking::by_masks, false, AtomicLaneRanks, Input, Output>;
  extern __shared__ __align__(16) unsigned char raw[];
  const TileList& list = arrays.disordered;
  const uint64_t count =
      list.numbers == nullptr ? (n + Shape::kTile - 1) / Shape::kTile : *list.count;
  for (uint64_t i = blockIdx.x; i < count; i += gridDim.x) {
    Tile tile{input, arrays, digit, *reinterpret_cast<typename Tile::Shared*>(raw),
              list.numbers == nullptr ? i : list.numbers[i]};
    tile.take(n);
    tile.run();
    __syncthreads();
  }
}

}  // namespace presort::gpu
