#include "presort/predict/gpu/kernel_sample.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace presort::inline v0::predict {
namespace {

using sim::gpu::kWarpLanes;

// Times that a warm-up touches every sector which the L2 can hold: random ones miss 2 % of it then.
constexpr double kTurns = 4;
// Last rows of a warm-up that warm L1s and translation, too: 2^15 loads for each simulated L1.
constexpr uint64_t kRowsOfL1 = uint64_t{1} << 13;
// Lines of the simulated L2; larger ones are sampled.
constexpr double kMostLines = 1 << 15;

double l2_sectors(const GpuHardware& gpu) {
  return static_cast<double>(gpu.l2.size_bytes) * gpu.l2.share /
         static_cast<double>(gpu.l2.sector_bytes);
}

// Sectors of a table of `table` sectors that the L2 keeps: a line that random accesses brought in has
// one sector, and others as likely as the line is found when they are touched.
double kept_sectors(const GpuHardware& gpu, double table) {
  const double sectors = l2_sectors(gpu);
  const double of_line =
      static_cast<double>(gpu.l2.line_bytes) / static_cast<double>(gpu.l2.sector_bytes);
  const double found = table > sectors ? sectors / table : 1;
  return sectors * (1 + (of_line - 1) * found) / of_line;
}

int sample_shift(const GpuHardware& gpu) {
  const double lines = static_cast<double>(gpu.l2.size_bytes) * gpu.l2.share /
                       static_cast<double>(gpu.l2.line_bytes);
  return std::max(0, static_cast<int>(std::ceil(std::log2(lines / kMostLines))));
}

}  // namespace

double KernelSample::ns_of(std::string_view resource) const {
  for (const sim::gpu::GpuBusy& each : busy) {
    if (each.resource == resource) {
      return each.ns;
    }
  }
  return 0;
}

SampleSize sample_size(const GpuHardware& gpu, uint64_t n, double sectors_of_warp,
                       double table_bytes, uint64_t most_rows) {
  const uint64_t rows = std::max<uint64_t>(n / kWarpLanes, 1);
  const uint64_t measured = std::min(rows, most_rows);
  const double table = table_bytes / static_cast<double>(gpu.l2.sector_bytes);
  const double warm =
      kTurns * std::min(kept_sectors(gpu, table), table) / std::max(sectors_of_warp, 1.0);
  return {std::min(rows - measured, static_cast<uint64_t>(warm) + 64), measured};
}

uint64_t warm_rows_of_l1(uint64_t n, uint64_t measured) {
  const uint64_t rows = n / kWarpLanes;
  return std::min(kRowsOfL1, rows > measured ? rows - measured : 0);
}

KernelSample run_sample(
    const GpuHardware& gpu, uint64_t n, const SampleSize& size, double dirty_share,
    const std::function<void(sim::gpu::GpuMemory&, int multiprocessor, uint64_t row)>& row) {
  return run_snapshots(gpu, n, size, dirty_share, {1.0},
                       [&](sim::gpu::GpuMemory& memory, int multiprocessor, size_t, uint64_t i) {
                         row(memory, multiprocessor, i);
                       });
}

KernelSample run_snapshots(const GpuHardware& gpu, uint64_t n, const SampleSize& size,
                           double dirty_share, const std::vector<double>& shares,
                           const std::function<void(sim::gpu::GpuMemory&, int multiprocessor,
                                                    size_t snapshot, uint64_t row)>& row) {
  sim::gpu::GpuMemory memory(gpu, sample_shift(gpu));
  memory.fill_l2(dirty_share);
  constexpr uint64_t kWarpsOfBlock = 8;
  const uint64_t warm = size.warm_warps / shares.size();
  const uint64_t l2_rows = warm > kRowsOfL1 ? warm - kRowsOfL1 : 0;
  KernelSample all;
  double slowest_ns = 0;  // sum over the snapshots of their busiest resources
  uint64_t i = 0;
  for (size_t snapshot = 0; snapshot < shares.size(); ++snapshot) {
    const auto measured = std::max<uint64_t>(
        1, static_cast<uint64_t>(static_cast<double>(size.measured_warps) * shares[snapshot]));
    memory.warm_l2_alone(l2_rows > 0);
    for (uint64_t of_snapshot = 0; of_snapshot < warm + measured; ++of_snapshot, ++i) {
      if (of_snapshot == l2_rows) {
        memory.warm_l2_alone(false);
      }
      if (of_snapshot == warm) {
        memory.clear_counts();
      }
      row(memory, static_cast<int>(i / kWarpsOfBlock % static_cast<uint64_t>(gpu.multiprocessors)),
          snapshot, i);
    }
    const double factor = static_cast<double>(n) / static_cast<double>(kWarpLanes) *
                          shares[snapshot] / static_cast<double>(measured);
    all.counts += memory.counts().scaled(factor);
    std::vector<sim::gpu::GpuBusy> busy = memory.busy_ns();
    slowest_ns += factor * sim::gpu::longest(busy).ns;
    all.busy.resize(busy.size());
    for (size_t resource = 0; resource < busy.size(); ++resource) {
      all.busy[resource].resource = busy[resource].resource;
      all.busy[resource].ns += factor * busy[resource].ns;
    }
  }
  all.simulated_warps = i;
  all.uneven_ns = std::max(0.0, slowest_ns - sim::gpu::longest(all.busy).ns);
  return all;
}

sim::gpu::WarpAccess row_access(sim::gpu::WarpAccessKind kind, uint64_t array, uint64_t first,
                                uint64_t bytes) {
  sim::gpu::WarpAccess access;
  access.kind = kind;
  access.bytes = static_cast<uint32_t>(bytes);
  for (uint64_t lane = 0; lane < kWarpLanes; ++lane) {
    access.addresses[lane] = array + (first + lane) * bytes;
  }
  return access;
}

}  // namespace presort::predict
