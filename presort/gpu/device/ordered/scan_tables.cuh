// Scans per bucket in one pass over inputs in any order, for as many buckets as a warp has a table
// for. A block has a tile, each of its warps a slice of it and a table of all buckets in shared
// memory: it scans its slice as if nothing stood before it, and keeps the results in registers. The
// tables are then summed up over the warps, the block publishes what its tile adds to each bucket,
// and looks back for what stands before the tile, a thread for each bucket. Both are put in front
// of the results, which are then written: a radix rank with ⊙ in place of +.
// results[i] = buckets[k] ⊙ (values of label k before i, or up to it); then the buckets are
// updated. Requires: ⊙ associates; it need not commute, and values are of any trivially copyable
// type
// Order:    grouped by rows of 32 inputs, warps and tiles, in the same way in every call on every
//           device
// Source:   Eilers 2014, §5.2; Merrill and Garland 2016
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "presort/gpu/block/chain_tree.cuh"
#include "presort/gpu/block/scan_table.cuh"
#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// A tile: kWarps slices of kRows rows of 32 inputs. Every tile reads the sums of other tiles, so
// long tiles are faster as long as their values stay in registers. ns an input, n = 2^28, uniform
// labels, one H200, 2026-11-25, warps x rows x blocks of a multiprocessor:
//   value    m     16x16x2  16x20x2  16x24x1  32x16x1  12x16x3  8x16x4
//   4 bytes  2^8   0.0066   0.0064   0.0072   0.0067   0.0070   0.0084
//   4 bytes  2^10  0.0123   0.0111   0.0105   0.0082   0.0199   0.0252
//   4 bytes  2^11  0.0211   0.0179   0.0152            0.0225   0.0351
//   value    m     16x8x2   16x10x2  16x12x1  32x8x1   12x8x3   8x8x4
//   8 bytes  2^8   0.0166   0.0148   0.0136   0.0168   0.0185   0.0181
template <class Value>
struct ScanTile {
  static constexpr int kWarps = kScanTableWarps;
  static constexpr int kThreads = kWarps * kWarpLanes;
  static constexpr int kRows = sizeof(Value) <= 4 ? 20
                               : sizeof(Value) <= 8
                                   ? 12
                                   : std::max(1, static_cast<int>(64 / sizeof(Value)));
  static constexpr int kInputs = kThreads * kRows;
  static constexpr int kBlocks =
      sizeof(Value) <= 4 ? 2 : 1;  // number of scanning blocks on a multiprocessor
  static constexpr int kBucketsOfThread = (1 << kMostScanTableBits) / kThreads;
};

// The number of tiles of a scan with tables for n inputs.
template <class Value>
constexpr uint64_t scan_table_tiles(uint64_t n) {
  constexpr uint64_t kInputs = ScanTile<Value>::kInputs;
  return (n + kInputs - 1) / kInputs;
}

// Bytes of a block's tables in shared memory.
template <class Value>
size_t scan_tables_bytes(const PartBits& bits) {
  return size_t{ScanTile<Value>::kWarps} * part_table_bytes<Value>(bits);
}

template <Scan kScan, class Input, class M>
__global__ void __launch_bounds__(ScanTile<typename Input::Value>::kThreads,
                                  ScanTile<typename Input::Value>::kBlocks)
    scan_tables_kernel(Input input, uint64_t n, PartBits bits, uint32_t m,
                       typename Input::Value* buckets, typename Input::Value* results,
                       ChainTree<typename Input::Value> chains, M monoid) {
  using Value = typename Input::Value;
  using Tile = ScanTile<Value>;
  extern __shared__ __align__(16) unsigned char raw[];
  __shared__ uint32_t number;
  if (threadIdx.x == 0) {
    number = chains.next_tile();
  }
  const uint32_t warp = threadIdx.x / kWarpLanes;
  const uint32_t table_bytes = part_table_bytes<Value>(bits);
  unsigned char* own = raw + warp * table_bytes;
  const ScanTable<Value, M> table{{reinterpret_cast<Value*>(own),
                                   reinterpret_cast<uint32_t*>(own + part_entry_bytes<Value>(bits)),
                                   bits, monoid}};
  table.clear();
  __syncthreads();
  const uint64_t tile = number;
  const uint64_t first = tile * Tile::kInputs;
  const auto count = static_cast<uint32_t>(min(static_cast<uint64_t>(Tile::kInputs), n - first));
  const auto place = [&](int row) {
    return (warp * Tile::kRows + row) * kWarpLanes + table.lane();
  };
  // The thread's labels, two of 16 bits in a word
  uint32_t label_pairs[(Tile::kRows + 1) / 2] = {};
  const auto label = [&](int row) { return label_pairs[row / 2] >> row % 2 * 16 & 0xffffu; };
  Value value[Tile::kRows];
#pragma unroll
  for (int row = 0; row < Tile::kRows; ++row) {
    value[row] = monoid.identity();
    if (place(row) < count) {
      label_pairs[row / 2] |= static_cast<uint32_t>(input.label(first + place(row)))
                              << row % 2 * 16;
      value[row] = input.value(first + place(row));
    }
  }
#pragma unroll
  for (int row = 0; row < Tile::kRows; ++row) {  // unrolled, so that values stay in registers
    const bool is_active = place(row) < count;
    const uint32_t bucket = label(row);
    if constexpr (kHasOnes<Input>) {
      value[row] = table.template scan_ones<kScan>(bucket, is_active);
    } else {
      value[row] = table.template scan<kScan>(bucket, value[row], is_active);
    }
  }
  __syncthreads();
  // Sums over the warps' tables: each thread looks after up to kBucketsOfThread buckets; entry()
  // finds a bucket in a warp's table.
  const auto entry = [&](uint32_t of_warp, uint32_t bucket) -> Value& {
    return reinterpret_cast<Value*>(raw + of_warp * table_bytes)[bucket];
  };
  const auto bucket_of = [&](int i) { return i * Tile::kThreads + threadIdx.x; };
  // For each bucket that the thread looks after, ⊙ of the tile's inputs; the first tile puts the
  // bucket's old value in front
  Value sum[Tile::kBucketsOfThread];
#pragma unroll
  for (int i = 0; i < Tile::kBucketsOfThread; ++i) {
    if (bucket_of(i) < m) {
      sum[i] = entry(0, bucket_of(i));
      for (uint32_t w = 1; w < Tile::kWarps; ++w) {
        sum[i] = monoid(sum[i], entry(w, bucket_of(i)));
      }
      if (tile == 0) {
        sum[i] = monoid(buckets[bucket_of(i)], sum[i]);
      }
      chains.publish(tile, bucket_of(i), sum[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < Tile::kBucketsOfThread; ++i) {
    const uint32_t bucket = bucket_of(i);
    if (bucket < m) {
      Value before = tile == 0 ? buckets[bucket] : chains.before(tile, bucket, sum[i], monoid);
      if (first + count == n) {
        buckets[bucket] = tile == 0 ? sum[i] : monoid(before, sum[i]);
      }
      for (uint32_t w = 0; w < Tile::kWarps; ++w) {
        const Value of_warp = entry(w, bucket);
        entry(w, bucket) = before;
        before = monoid(before, of_warp);
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int row = 0; row < Tile::kRows; ++row) {
    if (place(row) < count) {
      const Value before = table.entries[label(row)];
      results[first + place(row)] = monoid(before, value[row]);
    }
  }
}

// Launches the scan with tables. Requires: 1 <= n <= 2^31; m <= 2^bits.table_bits, tables that fit
// a block; chains of scan_table_tiles(n) tiles and m buckets
// Errors:   EnvironmentError when CUDA refuses a launch
template <Scan kScan, class Input, class M>
void scan_tables(cudaStream_t stream, const Input& input, uint64_t n,
                 std::span<typename Input::Value> buckets, typename Input::Value* results,
                 const ChainTree<typename Input::Value>& chains, const PartBits& bits,
                 const M& monoid) {
  using Tile = ScanTile<typename Input::Value>;
  const size_t shared_bytes = scan_tables_bytes<typename Input::Value>(bits);
  const auto kernel = scan_tables_kernel<kScan, Input, M>;
  allow_shared_bytes(kernel, shared_bytes);
  chains.clear(stream);
  const auto tiles = static_cast<unsigned>(scan_table_tiles<typename Input::Value>(n));
  kernel<<<tiles, Tile::kThreads, shared_bytes, stream>>>(input, n, bits,
                                                          static_cast<uint32_t>(buckets.size()),
                                                          buckets.data(), results, chains, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

}  // namespace presort::gpu
