// The tiles that a partition (gpu/device/partition.cuh) works on, and how their inputs are ranked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "presort/gpu/device/partition_output.cuh"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

enum class Order { stable, any };

// A tile: kThreads threads, kItems inputs each; up to kDigits digits.
template <int kThreadsValue, int kItemsValue, int kDigitsValue>
struct PartitionShape {
  static constexpr int kThreads = kThreadsValue;
  static constexpr int kItems = kItemsValue;
  static constexpr int kDigits = kDigitsValue;
  static constexpr int kBits = std::countr_zero(static_cast<unsigned>(kDigits));
  static constexpr int kWarps = kThreads / kWarpLanes;
  static constexpr int kTile = kThreads * kItems;
  static constexpr int kDigitsPerThread = (kDigits + kThreads - 1) / kThreads;
  static constexpr int kBlocks = 1024 / kThreads;  // blocks on a multiprocessor: 64 registers a
                                                   // thread
  static_assert(kTile < 1 << 16, "places in a tile have 16 bits");
};

// The tiles of the measured shapes: ns an input of uniform labels, u32 + u32, n = 2^28, one H200,
// 2026-11-22, with the histogram, which takes 0.0011. Order::any: 512 x 12 of 256 digits 0.0063,
// 1024 x 12 of 512 and 1024 0.0070 and 0.0078, 1024 x 14 of 2048 0.0100. Order::stable: 384 x 20 of
// 256 0.0063 (x 16 0.0064, 512 x 14 0.0065, x 16, which spills registers, 0.0071, 1024 x 12
// 0.0077), 1024 x 12 of 512 and 1024 0.0081 and 0.0091 (x 14 and x 13 0.0081 and 0.0089, 384 x 16
// 0.0083 and 0.0110), 1024 x 12 of 2048 0.0135.
template <Order kOrder, int kDigits, class Output>
struct BestShape {
  static constexpr bool kIsWide = kDigits > 256;
  static constexpr bool kIsStable = kOrder == Order::stable;
  static constexpr int kThreads = kIsWide ? 1024 : kIsStable ? 384 : 512;
  static constexpr int kItemsOfAny = kDigits > 1024 ? 14 : 12;
  static constexpr int kItemsOfStable = kIsWide ? 12 : 20;
  static constexpr int kItems = kIsStable ? kItemsOfStable : kItemsOfAny;
  // Inputs of a thread for larger pairs: half as many; above 16 bytes, as many as fit the memory of
  // 8-byte pairs.
  static constexpr int kOfPairs = Output::kBytes <= 8    ? kItems
                                  : Output::kBytes <= 16 ? kItems / 2
                                                         : kItems * 8 / Output::kBytes;
  using Type = PartitionShape<kThreads, kOfPairs, kDigits>;
};

// The shape for labels beside values with more than 8 bytes together. u32 + u64 without the
// histogram: 512 x 10 by 7, 8 and 10 bits 0.0091, 0.0120, 0.0236; 1024 x 8 0.0109, 0.0117, 0.0165;
// 512 x 8 and 12 by 8 bits 0.0129 and 0.0133 (one H200, 2026-11-22).
template <int kDigits, class Label, class Value>
requires(sizeof(Label) + sizeof(Value) > 8 &&
         sizeof(Label) + sizeof(Value) <=
             16) struct BestShape<Order::stable, kDigits, SeparateOutput<Label, Value>> {
  static constexpr bool kIsWide = kDigits > 256;
  using Type = PartitionShape<kIsWide ? 1024 : 512, kIsWide ? 8 : 10, kDigits>;
};

template <Order kOrder, int kDigits, class Output>
struct BestShape<kOrder, kDigits, TracedOutput<Output>> : BestShape<kOrder, kDigits, Output> {};

// How the inputs of a tile are ranked (gpu/block/warp_ranks.cuh).
//   by_block  in any order, by the block's counters
//   by_masks  in the order of the inputs, by counters of each warp
//   by_lanes  in the order of the inputs if an atomic serves the lanes of a warp in their order,
//   which nobody
//             promises: it is checked when the tile is written, and tiles that are out of order are
//             listed, to be partitioned once more by_masks (partition_by_masks_kernel)
enum class Ranking { by_block, by_masks, by_lanes };

// How a tile ranks its inputs: by lanes where 32-bit counters of all warps fit.
template <Order kOrder, class Shape>
inline constexpr Ranking kRankingOf = kOrder == Order::any     ? Ranking::by_block
                                      : Shape::kDigits <= 1024 ? Ranking::by_lanes
                                                               : Ranking::by_masks;

}  // namespace presort::gpu
