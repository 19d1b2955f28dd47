// Blocks that update tables in shared memory without a pre-sort: how many there are, and what each
// of them has, by the rules of gpu/device/update_shared.cuh. No CUDA types.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/plan/launch_shapes.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// A block of more buckets than these looks for hot ones (kFewestOfHot of update_shared.cuh).
inline constexpr uint64_t kMostBucketsWithoutHot = 32;

// A kernel's tables: what the launch of update_shared.cuh depends on. Sizes in bytes.
struct TableKernel {
  uint64_t n = 0;
  uint64_t m = 0;
  uint64_t label_bytes = 4;
  uint64_t entry_bytes = 4;
  int ranges = 1;
  int sets = 1;        // copies of each bucket that the plan asks for
  bool swaps = false;  // buckets are updated by compare and swap
};

struct TableBlocks {
  uint64_t slices = 1;  // slices of the inputs, each of which `ranges` blocks look at
  uint64_t inputs = 0;  // most inputs of a slice
  int sets = 1;         // copies of each bucket that a block has
  int threads = 1024;   // of a block
};

// The blocks of a kernel. Requires: kernel.n >= 1; a table of one range fits a block
inline TableBlocks table_blocks(const DeviceLimits& device, const TableKernel& kernel) {
  constexpr int kMostSets = 16;                        // that a kernel chooses by itself
  const bool has_one_block = kernel.entry_bytes == 8;  // registers leave room for one
  // Words of hot buckets, behind the table: a key, a count, and a word of each lane.
  const uint64_t slots = kernel.entry_bytes <= 4 ? 128 : 64;
  const bool looks = (kernel.swaps || kernel.entry_bytes == 8) && kernel.m > kMostBucketsWithoutHot;
  const uint64_t hot_bytes = looks ? slots * (8 + 32 * kernel.entry_bytes) + 16 : 0;
  const uint64_t buckets =
      (kernel.m + static_cast<uint64_t>(kernel.ranges) - 1) / static_cast<uint64_t>(kernel.ranges);
  const auto bytes_of = [&](int sets) {
    return buckets * kernel.entry_bytes * static_cast<uint64_t>(sets) + kSpareBytes + hot_bytes;
  };
  TableBlocks blocks;
  blocks.sets = kernel.sets;
  while (kernel.swaps && blocks.sets > 1 && bytes_of(blocks.sets) > device.shared_bytes_of_block) {
    blocks.sets /= 2;
  }
  while (kernel.swaps && has_one_block && kernel.ranges == 1 && blocks.sets < kMostSets &&
         bytes_of(2 * blocks.sets) <= device.shared_bytes_of_block) {
    blocks.sets *= 2;
  }
  // Packs of labels of 16 bytes or more, twice as many where a multiprocessor has one block.
  const uint64_t pack = kernel.label_bytes >= 4 ? 4 : 16 / kernel.label_bytes;
  const uint64_t shared_bytes = bytes_of(blocks.sets);
  const TableBlockShape shape =
      table_block_shape(device, kernel.n, static_cast<int>(pack), static_cast<int>(16 / pack),
                        shared_bytes, has_one_block);
  blocks.threads = shape.threads;
  const uint64_t tile =
      static_cast<uint64_t>(shape.threads) * pack * static_cast<uint64_t>(shape.packs);
  const uint64_t tiles = kernel.n / tile;
  const auto resident = static_cast<uint64_t>(resident_blocks(device, shape.threads, shared_bytes));
  blocks.slices =
      std::max<uint64_t>(1, std::min(resident / static_cast<uint64_t>(kernel.ranges), tiles + 1));
  const uint64_t more = (tiles + blocks.slices - 1) / blocks.slices * tile;
  blocks.inputs = std::max(more, tiles / blocks.slices * tile + kernel.n % tile);
  return blocks;
}

}  // namespace presort::gpu
