// The limits of a device that plans and kernels must know. No CUDA types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/machine/gpu.h"

namespace presort::inline v0::gpu {

// Bytes behind every table in shared memory: three words for each lane, which a lane updates in
// place of a bucket of another table, and of two frequent buckets (gpu/block/shared_table.cuh).
inline constexpr size_t kSpareBytes = 384;

// Bytes of the table that a warp has in an ordered reduction (gpu/device/ordered/reduce_parts.cuh). ns an
// input with values of 8 bytes: 2^8 buckets 0.0055, 2^9 0.0061, 2^10 0.0068, 2^11 0.0105, where
// only 12 warps of a multiprocessor have a table instead of 24 (one H200, 2026-11-22).
inline constexpr size_t kMostPartTableBytes = 8192;
inline constexpr size_t kMostTabledBytes = 64;  // most bytes of a value in a warp's table

// Most bytes of a value that a pre-sort in any order moves along with its label.
inline constexpr size_t kMostPresortedBytes = 16;

// The most bits of a label that a warp's table resolves; 0 when values are too large. No side effects.
constexpr int most_table_bits(size_t value_bytes) {
  int bits = 0;
  while (value_bytes <= kMostTabledBytes && value_bytes << (bits + 1) <= kMostPartTableBytes) {
    ++bits;
  }
  return bits;
}

// Limits of a scan with tables (gpu/device/ordered/scan_tables.cuh): number of warps of a block, each with a
// table, and the most bits of a label that a table resolves.
inline constexpr int kScanTableWarps = 16;
inline constexpr int kMostScanTableBits = 11;
inline constexpr int kMostScanPasses = 6;  // most passes of a pre-sort by all bits of a label

// The most inputs of an operation in order that has no pre-sort, but more buckets than a warp's
// table holds (gpu/device/ordered/sorted_tiles.cuh): every range of buckets goes through all tiles.
inline constexpr uint64_t kMostTiledInputs = uint64_t{1} << 22;

// True if a scatter has so few inputs that three steps for each input are faster than clearing and reading a
// word of each bucket (gpu/device/scatter_few.cuh): a step moves up to two sectors of 32 bytes an input; a
// bucket's word is written and read in order, 8 bytes.
constexpr bool scatters_few(uint64_t n, uint64_t m) {
  constexpr uint64_t kBucketsOfInput = 16;
  return n <= m / kBucketsOfInput;
}

// True if a multireduce in order without a pre-sort sorts its inputs tile by tile although a warp has a
// table of all buckets: few warps have inputs enough for a large table. µs, values of 4 bytes:
//   buckets  way     n = 2^12  2^16  2^18  2^19  2^20  2^21
//   2^8      tables  18.5      24                30
//            tiles   13.9      15                42          before neighbouring threads stored them
//   2^9      tables                  40    38    42    44
//            tiles                   25    29
//   2^10     tables                  63    61    65    66
//            tiles                   28    31    48
//   2^11     tables                              113   113
//            tiles                   32    32    53    90
// One H200 (2^8) and one H100, 2026-11-25.
constexpr bool sorts_tiles_of_few(uint64_t n, int label_bits) {
  const int most_bits = label_bits <= 8 ? 17 : label_bits == 9 ? 19 : label_bits == 10 ? 20 : 21;
  return label_bits > 0 && n <= uint64_t{1} << most_bits;
}

struct DeviceLimits {
  int multiprocessors = 0;
  size_t shared_bytes_of_block = 0;  // most bytes of shared memory that a block may ask for
  // shared-memory bytes of all blocks together; the system takes 1 KiB for each block
  size_t shared_bytes_of_multiprocessor = 0;
  int threads_of_multiprocessor = 0;
  size_t table_bytes_of_block() const { return shared_bytes_of_block - kSpareBytes; }
};

// Bytes of a block's shared memory that the system takes.
inline constexpr size_t kSystemBytesOfBlock = 1024;

// Number of blocks of a kernel that the device runs at the same time, as far as threads and shared
// memory allow; at least one of each multiprocessor.
// Requires: threads >= 1, shared_bytes <= shared_bytes_of_block
constexpr int resident_blocks(const DeviceLimits& device, int threads, size_t shared_bytes) {
  const auto by_memory = static_cast<int>(device.shared_bytes_of_multiprocessor /
                                          (shared_bytes + kSystemBytesOfBlock));
  const int by_threads = device.threads_of_multiprocessor / threads;
  const int of_each = by_memory < by_threads ? by_memory : by_threads;
  return device.multiprocessors * (of_each > 0 ? of_each : 1);
}

inline DeviceLimits limits_of(const Gpu& gpu) {
  return {.multiprocessors = gpu.multiprocessors,
          .shared_bytes_of_block = gpu.shared_bytes_of_block,
          .shared_bytes_of_multiprocessor = gpu.shared_bytes_of_multiprocessor,
          .threads_of_multiprocessor = gpu.threads_of_multiprocessor};
}

}  // namespace presort::gpu
