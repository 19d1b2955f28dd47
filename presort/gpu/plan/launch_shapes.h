// Shapes of the launches of kernels that update tables in shared memory: threads of a block, and how
// many inputs a thread or a block has. Kernels are launched by them, and the closed form and the
// simulation count by them. No CUDA types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// Shape of blocks that update a table of all buckets, or of a range of them
// (gpu/device/update_shared.cuh).
struct TableBlockShape {
  int threads = 1024;  // of a block
  int packs = 1;       // packs of labels that a thread reads before it uses the first
};

// The shape for n inputs. Where fewer than half of the multiprocessors would have a block, blocks
// are smaller. 92 drawn multireduces by tables below 2^19 inputs, one H200 with its 16-core host,
// 2026-11-28: 512 threads of one pack of four take 0.88 of the time in the geometric mean, 0.71 to
// 1.17 each; 29 of 2^19 to 2^20 inputs 1.02.
//   pack:               labels of a pack
//   packs_of_one_block: packs of a thread where a multiprocessor has one block of 1024 threads; half
//                       as many where it has two
//   has_one_block:      true: registers leave room for one block, whatever shared memory it takes
// Requires: shared_bytes <= device.shared_bytes_of_block
constexpr TableBlockShape table_block_shape(const DeviceLimits& device, uint64_t n, int pack,
                                            int packs_of_one_block, size_t shared_bytes,
                                            bool has_one_block) {
  TableBlockShape shape;
  const bool fits_once =
      resident_blocks(device, shape.threads, shared_bytes) == device.multiprocessors;
  shape.packs = fits_once && !has_one_block ? packs_of_one_block : (packs_of_one_block + 1) / 2;
  const uint64_t tiles = n / (static_cast<uint64_t>(shape.threads) * pack * shape.packs) + 1;
  if (2 * tiles < static_cast<uint64_t>(device.multiprocessors)) {
    shape.packs = 1;
    shape.threads = fits_once ? shape.threads : shape.threads / 2;
  }
  return shape;
}

// Shape of blocks that update buckets part by part (gpu/device/update_parts.cuh).
struct PartsShape {
  int slices_of_block = 4;  // slices of the pairs for each block that is resident
  int threads = 512;        // of a block whose table leaves room for another
};

// The shape for pairs of so many buckets. With several slices a block, blocks end at about the same
// time, but each slice begins and ends within a part, whose table is cleared and added once more.
// Times over those with four slices and 512 threads, 152 drawn multireduces behind a pre-sort, one
// H200 with its 16-core host, 2026-11-28: geometric mean (least, most).
//   pairs          one slice          one slice, 256 threads  two slices
//   2^18 to 2^20   0.92 (0.75, 1.01)  0.87 (0.70, 1.02)       1.00 (0.85, 1.19)
//   2^20 to 2^22   0.82 (0.67, 1.04)  0.77 (0.64, 1.01)       0.88 (0.73, 1.02)
//   2^22 to 2^23   0.84 (0.62, 0.97)  0.81 (0.53, 0.96)       0.93 (0.83, 1.03)
//   2^23 to 2^24   0.92 (0.84, 1.01)  0.93 (0.84, 1.02)       0.95 (0.82, 1.04)
//   2^24 to 2^26   0.96 (0.89, 1.23)  0.96 (0.89, 1.17)       0.97 (0.91, 1.08)
//   2^26 and more  1.01 (0.94, 1.42)  1.02 (0.95, 1.51)       1.00 (0.95, 1.25)
// Where there are more buckets than pairs, a slice can have most of the parts of skewed labels: one
// slice takes up to 1.75 times as long.
constexpr PartsShape parts_shape(const DeviceLimits& device, uint64_t pairs, uint64_t buckets) {
  constexpr uint64_t kPairsOfSlice = uint64_t{1} << 17;  // of all blocks of a multiprocessor
  PartsShape shape;
  if (buckets > pairs) {
    return shape;
  }
  const uint64_t of_each = pairs / static_cast<uint64_t>(std::max(1, device.multiprocessors));
  shape.slices_of_block = static_cast<int>(std::clamp<uint64_t>(
      of_each / kPairsOfSlice, 1, static_cast<uint64_t>(shape.slices_of_block)));
  if (of_each < kPairsOfSlice / 2) {
    shape.threads = 256;
  }
  return shape;
}

// Slices of the pairs of an update by parts, each read by `ranges` blocks of so many threads.
struct PartsLaunch {
  uint64_t slices = 1;
  int threads = 512;
};

// Requires: shared_bytes <= device.shared_bytes_of_block, ranges >= 1
constexpr PartsLaunch parts_launch(const DeviceLimits& device, uint64_t pairs, size_t shared_bytes,
                                   int ranges, PartsShape shape) {
  // A table that leaves no room for another block has as many threads as a block may have.
  const bool fits_once =
      shared_bytes > device.shared_bytes_of_multiprocessor / 2 - kSystemBytesOfBlock;
  const int threads = fits_once ? 1024 : shape.threads;
  const auto most = static_cast<uint64_t>(resident_blocks(device, threads, shared_bytes)) *
                    static_cast<uint64_t>(shape.slices_of_block) / static_cast<uint64_t>(ranges);
  return {std::max<uint64_t>(1, std::min(most, pairs / static_cast<uint64_t>(threads) + 1)),
          threads};
}

}  // namespace presort::gpu
