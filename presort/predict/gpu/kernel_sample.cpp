#include "presort/predict/gpu/kernel_sample.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace presort::inline v0::predict {
namespace {

using sim::gpu::kWarpLanes;

// Rows that are counted: 2^18 inputs. A hit ratio of one half is then known to 0.1 %.
constexpr uint64_t kMeasuredRows = uint64_t{1} << 13;
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
                       double table_bytes) {
  const uint64_t rows = std::max<uint64_t>(n / kWarpLanes, 1);
  const uint64_t measured = std::min(rows, kMeasuredRows);
  const double table = table_bytes / static_cast<double>(gpu.l2.sector_bytes);
  const double warm = kTurns * std::min(l2_sectors(gpu), table) / std::max(sectors_of_warp, 1.0);
  return {std::min(rows - measured, static_cast<uint64_t>(warm) + 64), measured};
}

uint64_t warm_rows_of_l1(uint64_t n, uint64_t measured) {
  const uint64_t rows = n / kWarpLanes;
  return std::min(kRowsOfL1, rows > measured ? rows - measured : 0);
}

KernelSample run_sample(
    const GpuHardware& gpu, uint64_t n, const SampleSize& size, double dirty_share,
    const std::function<void(sim::gpu::GpuMemory&, int multiprocessor, uint64_t row)>& row) {
  sim::gpu::GpuMemory memory(gpu, sample_shift(gpu));
  memory.fill_l2(dirty_share);
  constexpr uint64_t kWarpsOfBlock = 8;
  const uint64_t rows = size.warm_warps + size.measured_warps;
  const uint64_t l2_rows = size.warm_warps > kRowsOfL1 ? size.warm_warps - kRowsOfL1 : 0;
  memory.warm_l2_alone(l2_rows > 0);
  for (uint64_t i = 0; i < rows; ++i) {
    if (i == l2_rows) {
      memory.warm_l2_alone(false);
    }
    if (i == size.warm_warps) {
      memory.clear_counts();
    }
    row(memory, static_cast<int>(i / kWarpsOfBlock % static_cast<uint64_t>(gpu.multiprocessors)),
        i);
  }
  const double factor = static_cast<double>(n) / static_cast<double>(kWarpLanes) /
                        static_cast<double>(size.measured_warps);
  KernelSample sample{memory.counts().scaled(factor), memory.busy_ns(), rows};
  for (sim::gpu::GpuBusy& each : sample.busy) {
    each.ns *= factor;
  }
  return sample;
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
