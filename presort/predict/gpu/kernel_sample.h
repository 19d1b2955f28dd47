// A sample of a kernel's warps: a warm-up that is not counted, then warps that are, scaled to all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "presort/core/machine/gpu_hardware.h"
#include "presort/sim/gpu/gpu_counts.h"
#include "presort/sim/gpu/gpu_memory.h"

namespace presort::inline v0::predict {

// Counts and busy times of a whole kernel.
struct KernelSample {
  sim::gpu::GpuCounts counts;
  std::vector<sim::gpu::GpuBusy> busy;  // ns
  uint64_t simulated_warps = 0;         // rows of 32 inputs that were simulated
  // Time, ns, by which the kernel takes longer than its busiest resource is busy over all of it: at
  // one time another resource is busiest than at another.
  double uneven_ns = 0;

  // Busy time of a resource, ns; 0 for a name that there is not.
  double ns_of(std::string_view resource) const;
};

// Most rows of 32 inputs that are counted of a kernel: 2^18 inputs. A hit ratio of one half is then
// known to 0.1 %.
inline constexpr uint64_t kMeasuredRows = uint64_t{1} << 13;

struct SampleSize {
  uint64_t warm_warps = 0;      // rows of 32 inputs before counting begins
  uint64_t measured_warps = 0;  // rows that are counted, at least 1
};

// A sample that fills the L2 with the sectors that a kernel touches: `sectors_of_warp` for each row
// of 32 inputs, in a table of `table_bytes` that is used again and again (0: none).
SampleSize sample_size(const GpuHardware& gpu, uint64_t n, double sectors_of_warp,
                       double table_bytes, uint64_t most_rows = kMeasuredRows);

// Rows that warm the L1s before `measured` rows of a kernel of n inputs.
uint64_t warm_rows_of_l1(uint64_t n, uint64_t measured);

// Runs `row(memory, multiprocessor, i)` for the rows i of a sample, and scales to all rows of n
// inputs. Eight rows at a time, the warps of a block, are of one multiprocessor.
//   dirty_share: share of the lines in the L2 that are dirty before: those of a kernel that writes
KernelSample run_sample(
    const GpuHardware& gpu, uint64_t n, const SampleSize& size, double dirty_share,
    const std::function<void(sim::gpu::GpuMemory&, int multiprocessor, uint64_t row)>& row);

// Runs `row(memory, multiprocessor, snapshot, i)` for rows i of several snapshots of a kernel, each
// of which stands for a share of its time: `shares` add up to 1. Measured rows are divided by the
// shares, the warm-up evenly. What is busiest may differ from one snapshot to the next. Otherwise
// as run_sample.
KernelSample run_snapshots(const GpuHardware& gpu, uint64_t n, const SampleSize& size,
                           double dirty_share, const std::vector<double>& shares,
                           const std::function<void(sim::gpu::GpuMemory&, int multiprocessor,
                                                    size_t snapshot, uint64_t row)>& row);

// A row of 32 neighbouring elements of an array, accessed by the lanes of a warp.
sim::gpu::WarpAccess row_access(sim::gpu::WarpAccessKind kind, uint64_t array, uint64_t first,
                                uint64_t bytes);

// Simulated arrays: far apart, so that none overlap.
inline constexpr uint64_t kLabelArray = uint64_t{1} << 40;
inline constexpr uint64_t kValueArray = uint64_t{2} << 40;
inline constexpr uint64_t kBucketArray = uint64_t{3} << 40;
inline constexpr uint64_t kPairArray = uint64_t{4} << 40;
inline constexpr uint64_t kOutputArray = uint64_t{5} << 40;

}  // namespace presort::predict
