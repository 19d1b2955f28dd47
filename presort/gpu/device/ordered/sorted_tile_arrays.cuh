// Shapes of sorted tiles (sorted_tiles.cuh), ranges of their buckets, and the arrays that tiles leave
// in device memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "presort/core/base/carver.h"
#include "presort/core/problem.h"
#include "presort/gpu/block/scan_table.cuh"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// A tile of kThreads threads with kItems inputs each, sorted by kBitsOfPass bits at a time. µs of
// all launches of a reduction into 2^16 buckets, values of 4 bytes, one H200, 2026-11-25, by items
// and bits of 256 threads:
//   n     4, 6  8, 4  8, 5  8, 6
//   2^12  15.1  18.5  18.6  17.7
//   2^16  18.4  20.8  21.0  20.5
//   2^20  83.2  66.9  74.0  71.2
template <int kItemsValue, int kBitsValue>
struct SortedTile {
  static constexpr int kThreads = 256;
  static constexpr int kItems = kItemsValue;
  static constexpr int kInputs = kThreads * kItems;
  static constexpr int kBitsOfPass = kBitsValue;
  static constexpr int kBlocks = 4;  // number of tile-sorting blocks on a multiprocessor
};
using ShortSortedTile = SortedTile<4, 6>;
using LongSortedTile = SortedTile<8, 4>;

// The number of inputs in a tile. No side effects.
constexpr uint32_t sorted_tile_inputs(uint64_t n) {
  constexpr uint64_t kFewInputs = uint64_t{1} << 18;
  return n <= kFewInputs ? ShortSortedTile::kInputs : LongSortedTile::kInputs;
}

// How the buckets are divided into ranges: 2^10 ranges, or 2^8 if there are few inputs (a tile
// finds where each range begins, which took 3 µs longer for 1024); more if a range's table would
// exceed kMostPartTableBytes.
template <class Value>
PartBits bits_of_range(int label_bits, uint64_t n) {
  constexpr uint64_t kFewInputs = uint64_t{1} << 15;
  const int range_bits = n <= kFewInputs ? 8 : 10;
  return {std::min(std::max(0, label_bits - range_bits), most_table_bits(sizeof(Value)))};
}

inline uint32_t range_count(uint64_t m, const PartBits& bits) {
  return static_cast<uint32_t>((m + bits.table_size() - 1) >> bits.table_bits);
}

constexpr uint64_t sorted_tiles(uint64_t n) {
  const uint64_t inputs = sorted_tile_inputs(n);
  return (n + inputs - 1) / inputs;
}

// The arrays that tiles leave in device memory. The entries of tile number t begin at t ·
// tile_inputs.
template <class Label, class Value>
struct SortedTiles {
  using Key = std::conditional_t<sizeof(Label) == 8, uint64_t, uint32_t>;
  uint32_t tile_inputs = 0;
  // Where each range of the buckets begins among a tile's labels: begins[ranges + 1][tiles]
  uint16_t* begins = nullptr;
  Key* labels = nullptr;    // labels[tiles · tile_inputs]: a tile's labels, each once, ascending
  Value* values = nullptr;  // values[tiles · tile_inputs]: ⊙ of the tile's inputs of each label
  // entries[n]: for a scan, index of each input's label among the labels of its tile
  uint16_t* entries = nullptr;

  static SortedTiles take(Carver& carver, uint64_t n, uint64_t m, bool scans) {
    const uint64_t tiles = sorted_tiles(n);
    const uint64_t ranges = range_count(m, bits_of_range<Value>(label_bits(m), n));
    SortedTiles sorted;
    sorted.tile_inputs = sorted_tile_inputs(n);
    sorted.begins = carver.take<uint16_t>(saturating_multiply(ranges + 1, tiles));
    sorted.labels = carver.take<Key>(tiles * sorted.tile_inputs);
    sorted.values = carver.take<Value>(tiles * sorted.tile_inputs);
    sorted.entries = scans ? carver.take<uint16_t>(n) : nullptr;
    return sorted;
  }
};

}  // namespace presort::gpu
