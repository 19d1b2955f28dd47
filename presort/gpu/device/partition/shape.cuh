// The tiles that a partition (gpu/device/partition/partition.cuh) works on, and how their inputs
// are ranked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "presort/gpu/device/partition/output.cuh"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

enum class Order { stable, any };

// Shape of a partition tile: kThreads threads with kItems inputs each, for up to kDigits digits.
template <int kThreadsValue, int kItemsValue, int kDigitsValue>
struct PartitionShape {
  static constexpr int kThreads = kThreadsValue;
  static constexpr int kItems = kItemsValue;
  static constexpr int kDigits = kDigitsValue;
  static constexpr int kBits = std::countr_zero(static_cast<unsigned>(kDigits));
  static constexpr int kWarps = kThreads / kWarpLanes;
  static constexpr int kTile = kThreads * kItems;
  static constexpr int kDigitsPerThread = (kDigits + kThreads - 1) / kThreads;
  // Number of blocks of this tile shape on a multiprocessor; leaves 64 registers a thread
  static constexpr int kBlocks = 1024 / kThreads;
  static_assert(kTile < 1 << 16, "places in a tile have 16 bits");
};

// The tile for a number of digits, chosen by measurement: ns an input of uniform labels, u32 + u32,
// n = 2^28, with the histogram, which takes 0.0011 (one H200, 2026-11-22), by threads x items:
//   digits  Order::any      Order::stable   others tried for Order::stable
//   256     512x12  0.0063  384x20  0.0063  384x16 0.0064, 512x14 0.0065, 1024x12 0.0077, 512x16
//                                           0.0071 (spills registers)
//   512     1024x12 0.0070  1024x12 0.0081  1024x14 0.0081, 384x16 0.0083
//   1024    1024x12 0.0078  1024x12 0.0091  1024x13 0.0089, 384x16 0.0110
//   2048    1024x14 0.0100  1024x12 0.0135
template <Order kOrder, int kDigits, class Output>
struct BestShape {
  static constexpr bool kIsWide = kDigits > 256;
  static constexpr bool kIsStable = kOrder == Order::stable;
  static constexpr int kThreads = kIsWide ? 1024 : kIsStable ? 384 : 512;
  static constexpr int kItemsOfAny = kDigits > 1024 ? 14 : 12;
  static constexpr int kItemsOfStable = kIsWide ? 12 : 20;
  static constexpr int kItems = kIsStable ? kItemsOfStable : kItemsOfAny;
  // Number of inputs of a thread in a tile: pairs above 8 bytes halve it; above 16 bytes, as many
  // as fit the shared memory of 8-byte pairs.
  static constexpr int kOfPairs = Output::kBytes <= 8    ? kItems
                                  : Output::kBytes <= 16 ? kItems / 2
                                                         : kItems * 8 / Output::kBytes;
  using Type = PartitionShape<kThreads, kOfPairs, kDigits>;
};

// Tile shape for arrays of labels beside values with more than 8 bytes together. ns an input,
// threads x items, u32 + u64 without the histogram: 512 x 10 by 7, 8 and 10 bits 0.0091, 0.0120,
// 0.0236; 1024 x 8 0.0109, 0.0117, 0.0165; 512 x 8 and 12 by 8 bits 0.0129 and 0.0133 (one H200,
// 2026-11-22).
template <int kDigits, class Label, class Value>
requires(sizeof(Label) + sizeof(Value) > 8 &&
         sizeof(Label) + sizeof(Value) <=
             16) struct BestShape<Order::stable, kDigits, SeparateOutput<Label, Value>> {
  static constexpr bool kIsWide = kDigits > 256;
  using Type = PartitionShape<kIsWide ? 1024 : 512, kIsWide ? 8 : 10, kDigits>;
};

// Tile shape for such arrays, partitioned in any order: the same for all numbers of digits. ns an
// input of a whole multireduce, u32 + u64, n = 2^26, m = 2^22.8, by 7, 8, 9 and 10 bits, threads x
// items up to 8 bits; above (one H100, 2026-11-26):
//   512 x 6;   1024 x 6   0.0262  0.0255  0.0210  0.0262, tables with other loads
//   512 x 10;  1024 x 10  0.0211  0.0214  0.0189  0.0227
//   512 x 12;  1024 x 10  0.0208  0.0211  0.0188  0.0228
//   512 x 12;  1024 x 12  0.0208  0.0212  0.0191  0.0229
//   1024 x 10; 1024 x 10  0.0205  0.0190  0.0188  0.0228
template <int kDigits, class Label, class Value>
requires(sizeof(Label) + sizeof(Value) > 8 &&
         sizeof(Label) + sizeof(Value) <=
             16) struct BestShape<Order::any, kDigits, SeparateOutput<Label, Value>> {
  using Type = PartitionShape<1024, 10, kDigits>;
};

// Tile shape for such arrays with more than 16 bytes together: values of 12 or 16 bytes in parts.
// ns an input of a whole multireduce, u32 + two u64, n = 2^26, m = 2^18 by 6, 7 and 8 bits, m =
// 2^22 by 9 and 10, threads x items (one H200, 2026-11-27):
//   1024 x 6   0.0214  0.0217  0.0220  0.0240  0.0266
//   1024 x 8   0.0206  0.0209  0.0213  0.0227  0.0254
//   512 x 8    0.0199  0.0208  0.0226  0.0268  0.0337
//   512 x 10   0.0225  0.0226  0.0228  0.0259  0.0339
template <int kDigits, class Label, class Value>
requires(sizeof(Label) + sizeof(Value) >
         16) struct BestShape<Order::any, kDigits, SeparateOutput<Label, Value>> {
  using Type = PartitionShape<1024, 8, kDigits>;
};

template <Order kOrder, int kDigits, class Output>
struct BestShape<kOrder, kDigits, TracedOutput<Output>> : BestShape<kOrder, kDigits, Output> {};

// How the inputs of a tile are ranked (gpu/block/warp_ranks.cuh).
//   by_block  in any order, by the block's counters
//   by_masks  in the order of the inputs, by counters of each warp
//   by_lanes  in the order of the inputs if an atomic serves the lanes of a warp in their order,
//             which CUDA does not promise: the order is checked when the tile is written, and tiles
//             that are out of order are listed, to be partitioned once more by_masks
//             (partition_by_masks_kernel)
enum class Ranking { by_block, by_masks, by_lanes };

// The ranking for a tile shape: by_lanes where 32-bit counters of all warps fit in shared memory.
template <Order kOrder, class Shape>
inline constexpr Ranking kRankingOf = kOrder == Order::any     ? Ranking::by_block
                                      : Shape::kDigits <= 1024 ? Ranking::by_lanes
                                                               : Ranking::by_masks;

}  // namespace presort::gpu
