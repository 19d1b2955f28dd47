#include "presort/predict/gpu/global_updates.h"

#include <algorithm>
#include <cmath>

#include "presort/core/base/random.h"
#include "presort/gpu/plan/lane_joins.h"
#include "presort/gpu/plan/times/row_instructions.h"

namespace presort::inline v0::predict {
namespace {

using sim::gpu::GpuMemory;
using sim::gpu::kWarpLanes;
using sim::gpu::WarpAccess;

constexpr uint64_t kGlobalThreads = 256;  // as in gpu/device/update_global.cuh

bool all_equal(const WarpLabels& row) {
  return std::all_of(row.begin(), row.end(),
                     [&row](uint64_t label) { return label == row.front(); });
}

// Leaves the first lane of each label in an update.
void join_alike(const WarpLabels& row, WarpAccess& update) {
  uint32_t first = 0;
  for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
    bool is_first = update.has_lane(static_cast<int>(lane));
    for (size_t before = 0; before < lane; ++before) {
      is_first &= row[before] != row[lane];
    }
    first |= is_first ? uint32_t{1} << lane : 0;
  }
  update.lanes = first;
}

// Keeps the last lane of each run of one label.
void join_runs(const WarpLabels& row, WarpAccess& update) {
  for (size_t lane = 0; lane + 1 < kLanesOfWarp; ++lane) {
    if (row[lane] == row[lane + 1]) {
      update.lanes &= ~(uint32_t{1} << lane);
    }
  }
}

// Number of the lanes of the most frequent label.
int most_alike(const WarpLabels& row) {
  int most = 0;
  for (const uint64_t label : row) {
    most = std::max(most, static_cast<int>(std::count(row.begin(), row.end(), label)));
  }
  return most;
}

// Number of the lanes that have the label of the lane before.
int lanes_in_runs(const WarpLabels& row) {
  int lanes = 0;
  for (size_t lane = 1; lane < kLanesOfWarp; ++lane) {
    lanes += row[lane] == row[lane - 1] ? 1 : 0;
  }
  return lanes;
}

// Removes the lanes of hot labels from an update; returns how many there were.
int take_hot_lanes(const HotLabels& hot, const WarpLabels& row, WarpAccess& update) {
  int taken = 0;
  for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
    if (hot.has(row[lane])) {
      update.lanes &= ~(uint32_t{1} << lane);
      ++taken;
    }
  }
  return taken;
}

void join_lanes(GpuMemory& memory, Joins joins, const HotLabels* hot, const WarpLabels& row,
                WarpAccess& update) {
  switch (joins) {
    case Joins::none:
      return;
    case Joins::met_lanes:
      if (most_alike(row) >= gpu::kFewestAlike) {
        join_alike(row, update);
      }
      return;
    case Joins::hot_labels:
      if (hot != nullptr && take_hot_lanes(*hot, row, update) > 0) {
        memory.add_shared_passes(1);  // each lane has a word of its own
      }
      if (lanes_in_runs(row) >= gpu::kFewestInRuns) {
        join_alike(row, update);
      }
      return;
    case Joins::whole_warp:
      update.lanes = all_equal(row) ? 1 : update.lanes;
      return;
    case Joins::runs:
      join_runs(row, update);
  }
}

// The labels that block number `block` finds hot in its first tile: the first row of each of its
// warps.
HotLabels look_of_block(const GlobalUpdates& kernel, const LabelsFrom& labels, uint64_t block) {
  HotLabels hot(HotLabels::Room::slots, kernel.entry_bytes);
  const uint64_t tile = inputs_of_block(kernel.entry_bytes);
  const auto next =
      labels(std::min(0.999999, static_cast<double>(block * tile) / static_cast<double>(kernel.n)));
  const uint64_t rows_of_warp = tile / kGlobalThreads;
  const uint64_t warps = kGlobalThreads / kLanesOfWarp;
  for (uint64_t warp = 0; warp < warps; ++warp) {
    hot.look_at_first(next_row(next), warp);
    for (uint64_t row = 1; row < rows_of_warp; ++row) {
      next_row(next);
    }
  }
  hot.look_at_first(WarpLabels{}, warps);
  return hot;
}

// Instructions of a warp for a row, where they may bound the kernel; else 0.
double instructions_of_row(const GlobalUpdates& kernel) {
  if (kernel.joins == Joins::runs) {
    return gpu::instructions_of_left_out_row(kernel.rows_with_runs,
                                             static_cast<double>(kernel.entry_bytes));
  }
  return kernel.joins == Joins::hot_labels ? gpu::kInstructionsOfRow : 0;
}

}  // namespace

Joins joins_of(uint64_t n) {
  return n < gpu::kFewestInputsOfHot    ? Joins::whole_warp
         : n < gpu::kFewestInputsOfLook ? Joins::met_lanes
                                        : Joins::hot_labels;
}

uint64_t inputs_of_block(uint64_t entry_bytes) {
  return kGlobalThreads * (entry_bytes > 8 ? 2 : 4);
}

KernelSample sample_global_updates(const GpuHardware& gpu, const GlobalUpdates& kernel,
                                   const std::vector<BlockSnapshot>& snapshots) {
  const double table =
      static_cast<double>(kernel.m * kernel.entry_bytes) * static_cast<double>(kernel.sets);
  const double sectors = input_sectors(gpu, kernel.input) + static_cast<double>(kLanesOfWarp);
  const SampleSize size = sample_size(gpu, kernel.n, sectors, table + 1);
  std::vector<double> shares;
  shares.reserve(snapshots.size());
  for (const BlockSnapshot& snapshot : snapshots) {
    shares.push_back(snapshot.share);
  }
  const auto update_row = [&](GpuMemory& memory, int multiprocessor, size_t number, uint64_t i) {
    const BlockSnapshot& snapshot = snapshots[number];
    const uint64_t front = i % snapshot.fronts.size();
    const uint64_t inputs_of_front =
        kernel.n / snapshot.fronts.size() / kLanesOfWarp * kLanesOfWarp;
    load_inputs(memory, multiprocessor, kernel.input,
                front * inputs_of_front + i / snapshot.fronts.size() * kLanesOfWarp);
    const bool is_quick = kernel.warm_labels && memory.warms_l2_alone();
    const WarpLabels row = next_row(is_quick ? kernel.warm_labels : snapshot.fronts[front]);
    WarpAccess update;
    update.kind = kernel.kind;
    update.bytes = static_cast<uint32_t>(kernel.entry_bytes);
    for (size_t lane = 0; lane < kLanesOfWarp; ++lane) {
      const uint64_t copy = lane % static_cast<size_t>(kernel.sets);
      update.addresses[lane] =
          kBucketArray +
          (row[lane] * static_cast<uint64_t>(kernel.sets) + copy) * kernel.entry_bytes;
    }
    if (!is_quick) {
      join_lanes(memory, kernel.joins, snapshot.hot.empty() ? nullptr : snapshot.hot[front].get(),
                 row, update);
    }
    if (update.lanes != 0) {
      memory.access(multiprocessor, update);
    }
  };
  KernelSample sample = run_snapshots(gpu, kernel.n, size, 0, shares, update_row);
  const double instructions = instructions_of_row(kernel);
  if (instructions > 0) {
    const double lanes_of_second = gpu::kIntegerLanesOfCycle * gpu.multiprocessors * gpu.clock_hz;
    sample.busy.push_back(
        {"instructions", 1e9 * instructions * static_cast<double>(kernel.n) / lanes_of_second});
  }
  return sample;
}

std::vector<BlockSnapshot> block_snapshots(const GpuHardware& gpu, const GlobalUpdates& kernel,
                                           const LabelsFrom& labels, int times) {
  constexpr int kFronts = 512;
  constexpr uint64_t kLooks =
      32;  // blocks whose looks are made; others found what one of these did
  const bool looks = kernel.joins == Joins::hot_labels;
  const auto n = static_cast<double>(kernel.n);
  const uint64_t of_threads =
      static_cast<uint64_t>(gpu.warps_of_multiprocessor) * kLanesOfWarp / kGlobalThreads;
  // Registers for values of 8 bytes leave room for six blocks (kLookingBlocks)
  const uint64_t of_registers = looks && kernel.entry_bytes == 8 ? 6 : of_threads;
  const uint64_t resident =
      static_cast<uint64_t>(gpu.multiprocessors) * std::min(of_threads, of_registers);
  const uint64_t tile = looks ? inputs_of_block(kernel.entry_bytes) : kGlobalThreads;
  const uint64_t blocks = std::min(resident, kernel.n / tile + 1);
  const double window = std::min(1.0, static_cast<double>(blocks * tile) / n);
  const double lead = looks ? gpu.block_lead : 0;
  std::vector<uint64_t> looked;  // numbers of the blocks whose looks are made
  std::vector<std::shared_ptr<const HotLabels>> hot;
  for (uint64_t i = 0; looks && i < std::min(kLooks, blocks); ++i) {
    looked.push_back(i * blocks / std::min(kLooks, blocks));
    hot.push_back(std::make_shared<const HotLabels>(look_of_block(kernel, labels, looked[i])));
  }
  std::vector<BlockSnapshot> snapshots;
  double all = 0;
  for (int time = 0; time < times; ++time) {
    BlockSnapshot snapshot;
    snapshot.share = 0;
    for (int front = 0; front < kFronts; ++front) {
      const double speed = 1 / (1 - lead * (front + 0.5) / kFronts);
      const double progress = (time + 0.5) / times * speed;
      if (progress >= 1) {
        continue;
      }
      // Blocks of all speeds stand everywhere in the window.
      const uint64_t random = mix64(static_cast<uint64_t>(front));
      const double in_window =
          looks ? static_cast<double>(looked[random % looked.size()]) / static_cast<double>(blocks)
                : unit_double(random);
      snapshot.share += speed;
      snapshot.fronts.push_back(
          labels(std::min(0.999999, progress * (1 - window) + in_window * window)));
      if (looks) {
        snapshot.hot.push_back(hot[random % looked.size()]);
      }
    }
    if (!snapshot.fronts.empty()) {
      all += snapshot.share;
      snapshots.push_back(std::move(snapshot));
    }
  }
  for (BlockSnapshot& snapshot : snapshots) {
    snapshot.share /= all;
  }
  return snapshots;
}

}  // namespace presort::predict
