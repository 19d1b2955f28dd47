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

#include <cstdint>

#include "presort/gpu/block/scan_table.cuh"
#include "presort/gpu/device/ordered/sort_tiles.cuh"
#include "presort/gpu/device/ordered/sorted_tile_arrays.cuh"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/warp/reduce.cuh"

namespace presort::inline v0::gpu {

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
