// Kernel that sorts tiles of inputs in shared memory, and reduces or scans their runs of equal labels.
// It is the first launch of sorted_tiles.cuh.
#pragma once

#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

#include "presort/core/scan.h"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/device/ordered/sorted_tile_arrays.cuh"

namespace presort::inline v0::gpu {

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

}  // namespace presort::gpu
