// The CUDA kernels as warps' accesses: which addresses the lanes of a warp touch, row by row of 32
// inputs. Each function simulates a sample of one kernel and returns it scaled to all inputs.
#pragma once

#include <cstdint>
#include <functional>

#include "presort/core/labels/labels.h"
#include "presort/predict/gpu/input_bytes.h"
#include "presort/predict/gpu/kernel_sample.h"

namespace presort::inline v0::predict {

// Updates of tables in shared memory (gpu/block/shared_table.cuh): each input is looked at once for
// each range of buckets, and updates the table of its own range.
struct TableUpdates {
  uint64_t n = 0;
  InputBytes input;
  uint64_t entry_bytes = 4;
  uint64_t first_label = 0;    // first label of the part or problem that the tables are for
  uint64_t range_buckets = 1;  // buckets of a range
  int ranges = 1;
  int sets = 1;
  bool swaps = false;   // updates by compare and swap
  bool counts = false;  // adds ones: lanes at one word are served together (ATOMS.POPC.INC)
  bool looks = false;   // blocks look for hot labels, which get words of their own
  int pack = 4;         // inputs side by side that a lane loads at once
  uint64_t rows = kMeasuredRows;  // rows that are counted, at most
  double moved_buckets = 0;  // buckets that are read and written in device memory for each input
};
KernelSample sample_table_updates(const GpuHardware& gpu, const TableUpdates& kernel,
                                  const std::function<uint64_t()>& labels);

// One pass of a partition (gpu/device/partition/tile.cuh): tiles are sorted by a digit in shared
// memory, and each digit's pairs, or labels and values, go side by side to where the tile's inputs
// of that digit belong.
struct PartitionPass {
  uint64_t n = 0;
  InputBytes input;
  InputBytes output = {.label = 4, .value = 4, .are_pairs = true};
  int shift = 0;  // lowest bit of the digit in a label
  int bits = 8;
  int tile_inputs = 6144;
  uint64_t rows = kMeasuredRows;  // rows of 32 inputs that are counted, at most
};
KernelSample sample_partition(const GpuHardware& gpu, const PartitionPass& pass,
                              const std::function<uint64_t()>& labels);

// Reads of all labels, in their order.
KernelSample sample_label_reads(const GpuHardware& gpu, uint64_t n, uint64_t label_bytes);

// Reads of one group of 16 labels in 512 (gpu/plan/labels/room_sample.h).
KernelSample sample_room_sample(const GpuHardware& gpu, uint64_t n, uint64_t label_bytes);

// A gather (gpu/device/gather_tiles.cuh): out[i] = table[labels[i]].
struct Gather {
  uint64_t n = 0;
  uint64_t label_bytes = 4;
  uint64_t value_bytes = 4;
  uint64_t kept_buckets = 0;  // first buckets that stand in shared memory
  double table_bytes = 0;
  // Labels of rows that only warm the L2 (labels/quick_labels.h); empty: those of the kernel
  std::function<uint64_t()> warm_labels;
};
KernelSample sample_gather(const GpuHardware& gpu, const Gather& kernel,
                           const std::function<uint64_t()>& labels);

// The end of a scatter (gpu/device/last_writers.cuh): every bucket that has a label takes the value
// of its last input.
struct Assignment {
  uint64_t n = 0;
  uint64_t m = 0;
  uint64_t entry_bytes = 4;
  uint64_t value_bytes = 4;
  double written_share = 1;  // share of the buckets that have a label
};
KernelSample sample_assignment(const GpuHardware& gpu, const Assignment& kernel);

}  // namespace presort::predict
