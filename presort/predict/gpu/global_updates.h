// Updates of buckets in global memory as warps' accesses (gpu/device/update_global.cuh): which
// lanes are joined, which labels blocks collect in shared memory, and where the blocks stand in
// their inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "presort/predict/gpu/hot_labels.h"
#include "presort/predict/gpu/input_bytes.h"
#include "presort/predict/gpu/kernel_sample.h"

namespace presort::inline v0::predict {

// Which lanes of a warp are joined before their buckets are updated.
enum class Joins {
  none,        // a kernel that joins no lanes
  whole_warp,  // all lanes where they have one label: few inputs
  met_lanes,   // all lanes of each label, where four or more have one: up to 2^20 inputs
  // Hot labels are collected in shared memory; of others all lanes of each label are joined, where
  // most lanes have the label of the lane before
  hot_labels,
  runs,  // lanes side by side that have one label: inputs that a partition leaves out
};

// The kernel that update_global launches for n inputs.
Joins joins_of(uint64_t n);

// Inputs of a block's tile in update_global_kernel: eight warps, each with rows of 32 side by side.
uint64_t inputs_of_block(uint64_t entry_bytes);

struct GlobalUpdates {
  uint64_t n = 0;
  uint64_t m = 0;
  InputBytes input;
  uint64_t entry_bytes = 4;
  int sets = 1;  // copies of each bucket side by side, which threads take by turns
  sim::gpu::WarpAccessKind kind = sim::gpu::WarpAccessKind::atomic;  // store: a plain scatter
  Joins joins = Joins::none;
  double rows_with_runs = 0;  // of Joins::runs: share of the rows in which a label follows its like
  // Labels of rows that only warm the L2 (labels/quick_labels.h); empty: those of the fronts
  std::function<uint64_t()> warm_labels;
};

// Labels in the order in which the warps of a kernel read them. Several fronts: each resident block
// reads from a place of its own.
using LabelFronts = std::vector<std::function<uint64_t()>>;

// Resident blocks at one time of a kernel: what they read next, and which labels each found hot.
struct BlockSnapshot {
  double share = 1;  // share of the kernel's inputs that are read around this time
  LabelFronts fronts;
  std::vector<std::shared_ptr<const HotLabels>> hot;  // of each front; empty: nothing is hot
};

KernelSample sample_global_updates(const GpuHardware& gpu, const GlobalUpdates& kernel,
                                   const std::vector<BlockSnapshot>& snapshots);

// Labels of a kernel's inputs from a place on, which is a share of all inputs: 0 <= place < 1.
using LabelsFrom = std::function<std::function<uint64_t()>(double place)>;

// The snapshots of a kernel's blocks. Blocks of update_global_kernel begin side by side and take
// tiles by turns; without barriers they drift apart: with as much work they end between 1 - lead
// and 1, evenly (GpuHardware::block_lead). Blocks of the other kernels have an input a thread and
// come in order.
//   times: number of snapshots, at least 1; one is enough where labels have no order
std::vector<BlockSnapshot> block_snapshots(const GpuHardware& gpu, const GlobalUpdates& kernel,
                                           const LabelsFrom& labels, int times);

}  // namespace presort::predict
