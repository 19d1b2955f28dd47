// Reductions and scans per bucket of few inputs, in two or three launches, whatever the labels are:
//   sort_tiles    a block sorts the labels of a tile in shared memory, reduces each run of equal
//                 labels, and leaves the tile's labels, each once and in order, with ⊙ of their
//                 inputs, and where each range of the buckets begins among them; for a scan also
//                 each input's result within the tile
//   join_tiles    a warp has a range of the buckets in shared memory, and takes in what all tiles
//                 have of it, in the order of the tiles, in rows of 32; for a scan, it leaves in
//                 place of each value what stood in the bucket before
//   spread_tiles  (for a scan) puts that in front of each input's result
// Requires: ⊙ associates; it need not commute; values of at most kMostTabledBytes
// Order:    the runs of a tile, grouped by threads, then the tiles, grouped by rows: the same in
//           every call on every device
// Source:   the tiles of Baxter's and the thesis' sort in shared memory (Eilers 2014, §4.4 and
//           §5.5); ranges of buckets in place of its tables for each block
#pragma once

#include <algorithm>
#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <type_traits>

#include "presort/core/base/carver.h"
#include "presort/core/problem.h"
#include "presort/core/scan.h"
#include "presort/gpu/block/scan_table.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/warp/reduce.cuh"

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

// Running state of a scan over a sorted tile: ⊙ of the open run of equal labels, and the number of
// runs begun.
template <class Value>
struct CountedRun {
  Value value;
  uint32_t begun;
};

template <class Value, class M>
struct JoinCountedRuns {
  M monoid;
  __device__ CountedRun<Value> operator()(const CountedRun<Value>& a,
                                          const CountedRun<Value>& b) const {
    return {b.begun > 0 ? b.value : monoid(a.value, b.value), a.begun + b.begun};
  }
};

// The kind of results: none, or a scan that excludes or includes the input's own value.
enum class TileResults { none, exclusive, inclusive };

constexpr TileResults tile_results(Scan scan) {
  return scan == Scan::exclusive ? TileResults::exclusive : TileResults::inclusive;
}

// Index of the first of `count` ascending keys that is at least `least`.
template <class Key>
__device__ uint32_t first_not_below(const Key* keys, uint32_t count, uint64_t least) {
  uint32_t first = 0;
  while (count > 0) {
    const uint32_t half = count / 2;
    const bool is_below = keys[first + half] < least;
    first = is_below ? first + half + 1 : first;
    count = is_below ? count - half - 1 : half;
  }
  return first;
}

// The results of a block's tile, in shared memory first, so that neighbouring threads store
// neighbouring elements: lanes that store apart write as many sectors as there are elements, which
// took two thirds of the time. Where that would be too much for a block, only the labels are here.
template <int kInputs, class Key, class Value, bool kScans>
struct StagedTile {
  static constexpr size_t kMostBytes = 45056;  // of 48 KiB; the first and last keys are beside it
  static constexpr size_t kItemBytes =
      sizeof(Key) + sizeof(Value) + (kScans ? sizeof(Value) + sizeof(uint16_t) : 0);
  static constexpr bool kIsWhole = kItemBytes * kInputs <= kMostBytes;
  static constexpr int kStaged = kIsWhole ? kInputs : 1;
  static constexpr int kResultsStaged = kIsWhole && kScans ? kInputs : 1;

  Key labels[kInputs];  // the tile's labels, sorted, each once
  alignas(Value) unsigned char values[kStaged * sizeof(Value)];
  alignas(Value) unsigned char results[kResultsStaged * sizeof(Value)];
  uint16_t entries[kResultsStaged];

  __device__ Value* value_of(uint32_t entry) { return reinterpret_cast<Value*>(values) + entry; }
  __device__ Value* result_of(uint32_t input) { return reinterpret_cast<Value*>(results) + input; }
};

// Sorts and reduces the tiles. results[i]: for a scan, the result as if the tile were all the
// input.
template <class Tile, TileResults kResults, class Input, class M>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks)
    sort_tiles_kernel(Input input, uint64_t n, int label_bits, uint32_t ranges, PartBits range,
                      SortedTiles<typename Input::Label, typename Input::Value> tiles,
                      typename Input::Value* results, M monoid) {
  using Value = typename Input::Value;
  using Key = typename SortedTiles<typename Input::Label, Value>::Key;
  using Run = CountedRun<Value>;
  constexpr int kThreads = Tile::kThreads;
  constexpr int kItems = Tile::kItems;
  using Sort = cub::BlockRadixSort<Key, kThreads, kItems, uint16_t, Tile::kBitsOfPass>;
  using RunScan = cub::BlockScan<Run, kThreads>;
  constexpr bool kScans = kResults != TileResults::none;
  using Staged = StagedTile<Tile::kInputs, Key, Value, kScans>;
  __shared__ union Storage {
    __device__ Storage() {}
    typename Sort::TempStorage sort;
    typename RunScan::TempStorage scan;
    Staged staged;
  } storage;
  Staged& staged = storage.staged;
  __shared__ Key first_keys[kThreads];
  __shared__ Key last_keys[kThreads];
  const uint64_t first = static_cast<uint64_t>(blockIdx.x) * Tile::kInputs;
  const auto count = static_cast<uint32_t>(min(static_cast<uint64_t>(Tile::kInputs), n - first));
  const uint32_t own = threadIdx.x * kItems;
  Key key[kItems];
  uint16_t at[kItems];  // place of each input in the sorted tile
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    at[i] = static_cast<uint16_t>(own + i);
    // Slots of a tile without an input get the largest key, so that they sort behind all inputs.
    key[i] = own + i < count ? static_cast<Key>(input.label(first + own + i)) : ~Key{0};
  }
  Sort(storage.sort).Sort(key, at, 0, label_bits);
  first_keys[threadIdx.x] = key[0];
  last_keys[threadIdx.x] = key[kItems - 1];
  __syncthreads();
  const auto is_own = [&](int i) { return own + i < count; };
  const auto begins_run = [&](int i) {
    return i > 0 ? key[i - 1] != key[i] : threadIdx.x == 0 || last_keys[threadIdx.x - 1] != key[0];
  };
  const auto ends_run = [&](int i) {
    return own + i + 1 == count ||
           (i + 1 < kItems ? key[i + 1] : first_keys[threadIdx.x + 1]) != key[i];
  };
  Value value[kItems];
  Run of_thread = {monoid.identity(), 0};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_own(i)) {
      value[i] = input.value(first + at[i]);
      of_thread = begins_run(i) ? Run{value[i], of_thread.begun + 1}
                                : Run{monoid(of_thread.value, value[i]), of_thread.begun};
    }
  }
  Run run;
  Run of_tile;
  RunScan(storage.scan)
      .ExclusiveScan(of_thread, run, Run{monoid.identity(), 0}, JoinCountedRuns<Value, M>{monoid},
                     of_tile);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (is_own(i)) {
      const Value before = begins_run(i) ? monoid.identity() : run.value;
      run = begins_run(i) ? Run{value[i], run.begun + 1}
                          : Run{monoid(run.value, value[i]), run.begun};
      const uint32_t entry = run.begun - 1;
      if (ends_run(i)) {
        staged.labels[entry] = key[i];
        *(Staged::kIsWhole ? staged.value_of(entry) : tiles.values + first + entry) = run.value;
      }
      if constexpr (kScans) {
        const Value result = kResults == TileResults::exclusive ? before : run.value;
        if constexpr (Staged::kIsWhole) {
          staged.entries[at[i]] = static_cast<uint16_t>(entry);
          *staged.result_of(at[i]) = result;
        } else {
          tiles.entries[first + at[i]] = static_cast<uint16_t>(entry);
          results[first + at[i]] = result;
        }
      }
    }
  }
  __syncthreads();
  for (uint32_t e = threadIdx.x; e < of_tile.begun; e += kThreads) {
    tiles.labels[first + e] = staged.labels[e];
    if constexpr (Staged::kIsWhole) {
      tiles.values[first + e] = *staged.value_of(e);
    }
  }
  if constexpr (kScans && Staged::kIsWhole) {
    for (uint32_t i = threadIdx.x; i < count; i += kThreads) {
      tiles.entries[first + i] = staged.entries[i];
      results[first + i] = *staged.result_of(i);
    }
  }
  for (uint32_t r = threadIdx.x; r <= ranges; r += kThreads) {
    const uint64_t least = static_cast<uint64_t>(r) << range.table_bits;
    tiles.begins[static_cast<uint64_t>(r) * gridDim.x + blockIdx.x] =
        static_cast<uint16_t>(first_not_below(staged.labels, of_tile.begun, least));
  }
}

inline constexpr int kTileJoinWarps = 4;

template <bool kLeavesBefore, class Label, class Value, class M>
__global__ void __launch_bounds__(kTileJoinWarps* kWarpLanes)
    join_tiles_kernel(SortedTiles<Label, Value> tiles, uint32_t tile_count, uint64_t m,
                      uint32_t ranges, PartBits bits, Value* buckets, M monoid) {
  constexpr int kRows =
      sizeof(Value) <= 8 ? 4 : 1;  // number of entries that a lane loads at a time
  extern __shared__ __align__(16) unsigned char raw[];
  const uint32_t warp = threadIdx.x / kWarpLanes;
  const uint32_t range = blockIdx.x * kTileJoinWarps + warp;
  if (range >= ranges) {
    return;
  }
  unsigned char* own = raw + warp * part_table_bytes<Value>(bits);
  const ScanTable<Value, M> table{{reinterpret_cast<Value*>(own),
                                   reinterpret_cast<uint32_t*>(own + part_entry_bytes<Value>(bits)),
                                   bits, monoid}};
  const uint32_t lane = table.lane();
  const uint64_t begin = static_cast<uint64_t>(range) << bits.table_bits;
  const auto size = static_cast<uint32_t>(min(uint64_t{bits.table_size()}, m - begin));
  table.clear();
  for (uint32_t k = lane; k < size; k += kWarpLanes) {
    table.entries[k] = buckets[begin + k];
  }
  __syncwarp();
  // Each lane loads the bounds of one tile's entries in this range of buckets, long before their
  // use.
  const uint16_t* begins = tiles.begins + static_cast<uint64_t>(range) * tile_count;
  uint32_t next_from = 0;
  uint32_t next_to = 0;
  const auto ask_for = [&](uint32_t tile) {
    next_from = tile < tile_count ? begins[tile] : 0;
    next_to = tile < tile_count ? begins[tile_count + tile] : 0;
  };
  ask_for(lane);
  for (uint32_t base = 0; base < tile_count; base += kWarpLanes) {
    const uint32_t from = next_from;
    const uint32_t count = next_to - next_from;
    ask_for(base + kWarpLanes + lane);
    uint32_t last = count;  // number of entries in the lane's tile and earlier tiles
#pragma unroll
    for (int lanes = 1; lanes < kWarpLanes; lanes *= 2) {
      const uint32_t other = __shfl_up_sync(kAllLanes, last, lanes);
      last += lane >= static_cast<uint32_t>(lanes) ? other : 0;
    }
    // An entry's number in this range of buckets plus `skip`, modulo 2^32, is its place in the tile
    // arrays.
    const uint32_t skip = (base + lane) * tiles.tile_inputs + from - (last - count);
    const uint32_t all = __shfl_sync(kAllLanes, last, kWarpLanes - 1);
    for (uint32_t first = 0; first < all; first += kRows * kWarpLanes) {
      uint32_t place[kRows];
      uint32_t bucket[kRows];
      Value value[kRows];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const uint32_t entry = first + i * kWarpLanes + lane;
        uint32_t tile = 0;  // tile that holds the entry: the first tile whose entries end behind it
#pragma unroll
        for (uint32_t lanes = kWarpLanes / 2; lanes > 0; lanes /= 2) {
          tile += __shfl_sync(kAllLanes, last, tile + lanes - 1) <= entry ? lanes : 0;
        }
        place[i] = entry + __shfl_sync(kAllLanes, skip, tile);
        bucket[i] = 0;
        value[i] = monoid.identity();
        if (entry < all) {
          bucket[i] = static_cast<uint32_t>(tiles.labels[place[i]] - begin);
          value[i] = tiles.values[place[i]];
        }
      }
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const bool is_entry = first + i * kWarpLanes + lane < all;
        if constexpr (kLeavesBefore) {
          const Value before = table.template scan<Scan::exclusive>(bucket[i], value[i], is_entry);
          if (is_entry) {
            tiles.values[place[i]] = before;
          }
        } else {
          table.update(bucket[i], value[i], is_entry);
        }
      }
    }
  }
  for (uint32_t k = lane; k < size; k += kWarpLanes) {
    buckets[begin + k] = table.entries[k];
  }
}

template <class Label, class Value, class M>
__global__ void __launch_bounds__(256)
    spread_tiles_kernel(SortedTiles<Label, Value> tiles, uint32_t n, Value* results, M monoid) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const uint32_t tile = i / tiles.tile_inputs * tiles.tile_inputs;
    results[i] = monoid(tiles.values[tile + tiles.entries[i]], results[i]);
  }
}

// Reduces or scans tile by tile into the buckets; for a scan, also writes results[n], which is
// otherwise null.
// Requires: 1 <= n <= kMostTiledInputs; labels of label_bits; tiles of that n and m
// Errors:   EnvironmentError when CUDA refuses a launch
template <TileResults kResults, class Input, class M>
void reduce_sorted_tiles(cudaStream_t stream, const Input& input, uint64_t n,
                         typename Input::Value* buckets, uint64_t m, int label_bits,
                         typename Input::Value* results,
                         const SortedTiles<typename Input::Label, typename Input::Value>& tiles,
                         const M& monoid) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  constexpr bool kScans = kResults != TileResults::none;
  const auto count = static_cast<uint32_t>(sorted_tiles(n));
  const PartBits range = bits_of_range<Value>(label_bits, n);
  const uint32_t ranges = range_count(m, range);
  const auto sort = [&]<class Tile>(Tile) {
    sort_tiles_kernel<Tile, kResults><<<count, Tile::kThreads, 0, stream>>>(
        input, n, label_bits, ranges, range, tiles, results, monoid);
    PRESORT_CUDA(cudaGetLastError());
  };
  if (tiles.tile_inputs == ShortSortedTile::kInputs) {
    sort(ShortSortedTile{});
  } else {
    sort(LongSortedTile{});
  }
  const size_t shared_bytes = kTileJoinWarps * part_table_bytes<Value>(range);
  join_tiles_kernel<kScans, Label, Value, M>
      <<<(ranges + kTileJoinWarps - 1) / kTileJoinWarps, kTileJoinWarps * kWarpLanes, shared_bytes,
         stream>>>(tiles, count, m, ranges, range, buckets, monoid);
  PRESORT_CUDA(cudaGetLastError());
  if constexpr (kScans) {
    constexpr unsigned kThreads = 256;
    spread_tiles_kernel<Label, Value, M>
        <<<static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
            tiles, static_cast<uint32_t>(n), results, monoid);
    PRESORT_CUDA(cudaGetLastError());
  }
}

}  // namespace presort::gpu
