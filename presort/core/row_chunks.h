// How a reduction of rows divides its inputs, once they are in the order of their labels: into chunks,
// each reduced from left to right. What is grouped depends on the lengths and labels alone, so that
// sums that round have the same bits in every run, on every device, with any number of threads.
//   A chunk has RowChunks::inputs inputs. A run of equal labels that crosses the border of two chunks
//   moves the border to its end where that lies at most RowChunks::reach inputs behind the border.
//   Otherwise the border stands, and cuts the run: both chunks leave what they reduced of it, a row
//   of a list. The list, which is in the order of its labels, is reduced in the same way, and what
//   that leaves too, until one chunk is left, which no border cuts.
//   Each chunk owns two rows of the list: slot 2c for the run that began before chunk c, slot 2c + 1
//   for one that goes on behind it; a chunk inside one run uses the first. Slots may be empty.
// Units:    inputs and rows in elements of their arrays
// Errors:   none. All are constant expressions
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace presort::inline v0 {

inline constexpr uint64_t kMostRowColumns = 4096;  // most columns in a row
inline constexpr uint64_t kMostRowInputs = (uint64_t{1} << 32) - 1;
inline constexpr uint64_t kRowLaneBytes = 16;  // bytes of a row that a lane of a warp handles
inline constexpr uint32_t kRowLanes = 32;      // most lanes of a warp that share a row
inline constexpr uint32_t kNoRow = ~0u;  // label that marks an empty slot in a list of partial sums

// Where an input's row of values stands, with the input's label; or the same for a slot of the list
// of partial sums.
struct alignas(8) RowPlace {
  uint32_t label;
  uint32_t position;  // index of the input's row in the values, or of the slot's row in the list
};

// The number of lanes of a warp that share a row, a power of two.
constexpr uint32_t row_lanes(uint64_t row_bytes) {
  const uint64_t lanes = (row_bytes + kRowLaneBytes - 1) / kRowLaneBytes;
  return static_cast<uint32_t>(std::bit_ceil(std::clamp<uint64_t>(lanes, 1, uint64_t{kRowLanes})));
}

// The number of slices of a row: kRowLanes lanes handle one slice at a time.
constexpr uint64_t row_slices(uint64_t row_bytes) {
  constexpr uint64_t kBytes = kRowLaneBytes * kRowLanes;
  return (row_bytes + kBytes - 1) / kBytes;
}

struct RowChunks {
  uint32_t inputs = 32;  // inputs of a chunk of rows, a multiple of 32
  uint32_t reach = 32;   // most inputs that the border of a chunk may be moved by; at most 32

  constexpr uint64_t count(uint64_t n) const { return (n + inputs - 1) / inputs; }
};

// Most inputs of the chunks that a warp reduces at the same time: their places stand in shared memory.
inline constexpr uint32_t kMostStagedRows = 1024;

// Chunks of `inputs` inputs each. A border may move less if several rows share a warp, whose lanes
// wait for the longest chunk.
constexpr RowChunks row_chunks_of(uint32_t inputs, uint32_t lanes) {
  const uint32_t most = kMostStagedRows / (kRowLanes / lanes);
  return {std::min(inputs, most), lanes >= 8 ? 32u : lanes == 4 ? 16u : 8u};
}

// Chunks for n inputs: as long as possible while every device still gets enough warps.
constexpr RowChunks row_chunks(uint64_t n, uint64_t row_bytes) {
  constexpr uint64_t kFewestWarps = 16384;
  constexpr uint32_t kLongest = 256;
  const uint32_t lanes = row_lanes(row_bytes);
  const uint64_t groups = kRowLanes / lanes;
  uint32_t inputs = kLongest;
  while (inputs > 32 && n * row_slices(row_bytes) / (inputs * groups) < kFewestWarps) {
    inputs /= 2;
  }
  return row_chunks_of(inputs, lanes);
}

// Chunks for a list of partial sums. Short chunks take less time where a warp has only one, longer
// ones leave shorter lists.
constexpr RowChunks list_chunks(uint64_t row_bytes) {
  return row_chunks_of(64, row_lanes(row_bytes));
}

// One pass of a reduction of rows, over the inputs or over a list of partial sums.
struct RowLevel {
  uint64_t inputs = 0;
  RowChunks chunks;
  // Number of rows in the list that the pass leaves
  constexpr uint64_t slots() const {
    const uint64_t count = chunks.count(inputs);
    return count > 1 ? 2 * count : 0;
  }
};

struct RowLevels {
  // Most passes of a reduction; each list has a sixteenth of the rows of the one before
  static constexpr int kMost = 10;
  RowLevel levels[kMost];
  int count = 0;
};

// The passes of a reduction of n rows of values, whose sums have sum_bytes bytes each.
// Requires: n < 2^32
constexpr RowLevels row_levels(uint64_t n, uint64_t columns, uint64_t value_bytes,
                               uint64_t sum_bytes) {
  RowLevels all;
  RowLevel level{n, row_chunks(n, columns * value_bytes)};
  while (level.inputs > 0) {
    all.levels[all.count++] = level;
    level = {level.slots(), list_chunks(columns * sum_bytes)};
  }
  return all;
}

}  // namespace presort
