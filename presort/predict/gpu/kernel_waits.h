// Time of kernels beside their accesses in a sample: tables that are filled and left, blocks that
// wait between barriers, sums by one block. Latencies and rates are those of the hardware; how
// often each comes is counted in the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "presort/core/machine/gpu_hardware.h"
#include "presort/gpu/plan/times/digit_sums.h"
#include "presort/gpu/plan/times/part_visits.h"
#include "presort/gpu/plan/times/partition_rounds.h"
#include "presort/gpu/plan/times/swap_chain.h"
#include "presort/sim/gpu/warp_access.h"

namespace presort::inline v0::predict {

class KernelWaits {
 public:
  // Requires: the hardware outlives this object
  explicit KernelWaits(const GpuHardware& hardware) : gpu_(hardware) {}

  // Time, ns, of what tables do beside their updates: every entry is set to the identity, and every
  // block combines its table with the buckets by atomics to consecutive words.
  double fill_and_combine(double tables, double table_bytes) const {
    const double banks = gpu_.shared.banks * static_cast<double>(gpu_.shared.bank_bytes);
    const double fill = tables * table_bytes / gpu_.multiprocessors / banks;
    const double sectors = tables * table_bytes / static_cast<double>(gpu_.l2.sector_bytes);
    const double line = static_cast<double>(gpu_.l2.line_bytes);
    const double sectors_of_line =
        tables * std::min(line, table_bytes) / static_cast<double>(gpu_.l2.sector_bytes);
    return 1e9 * (fill / gpu_.clock_hz +
                  std::max(sectors / gpu_.l2.atomics, sectors_of_line / gpu_.l2.line_atomics));
  }

  // Time, ns, in which each block adds up the sets of its table (gpu/block/shared_table.cuh): a
  // lane has a bucket, and begins with another set than its neighbours, so that no lanes meet in a
  // bank. Units: buckets of one block's table; bytes of an entry
  double add_sets(double buckets, int sets, double entry_bytes) const {
    if (sets <= 1) {
      return 0;
    }
    const double words = std::max(1.0, entry_bytes / static_cast<double>(gpu_.shared.bank_bytes));
    return buckets / sim::gpu::kWarpLanes * sets * words / gpu_.clock_hz * 1e9;
  }

  // Time, ns, that a block with a table waits between its barriers while it has nothing else to do:
  // its look at inputs, its first inputs, and the buckets, which are updated in the L2.
  double of_block() const {
    const double l2 = gpu_.l2.latency_cycles + gpu_.l2.far_cycles / 2;
    return 2 * gpu_.memory.latency_ns + l2 / gpu_.clock_hz * 1e9;
  }

  // Time, ns, of a tile of a partition that has its multiprocessor alone, beside the step of its
  // kernel, which holds some of it, being longer than a launch, a load and a store.
  //   sorting_ns: busy time of all shared memory over the number of tiles
  double of_tile(double sorting_ns, int inputs) const {
    const double waits =
        gpu::kMemoryWaitsOfTile * gpu_.memory.latency_ns + gpu::kL2WaitsOfTile * of_l2();
    const double in_step = gpu_.step_ns - gpu_.launch_ns - 2 * gpu_.memory.latency_ns;
    const double integers =
        inputs * gpu::kIntegersOfTileRow / (gpu::kIntegerLanesOfCycle * gpu_.clock_hz) * 1e9;
    return waits - std::max(0.0, in_step) + sorting_ns * gpu_.multiprocessors + integers;
  }

  // Time, ns, from one swap of a word of shared memory to the next.
  double of_swap(double entry_bytes) const {
    return gpu::swap_step_ns(gpu_.shared.latency_cycles / gpu_.clock_hz * 1e9, gpu_.clock_hz,
                             entry_bytes);
  }

  // Time, ns, of an access to the L2, in either half.
  double of_l2() const {
    return (gpu_.l2.latency_cycles + gpu_.l2.far_cycles / 2) / gpu_.clock_hz * 1e9;
  }

  // Time, ns, of a visit of a part (gpu/plan/times/part_visits.h). Pairs that the L2 does not have
  // any more, and the buckets, come from memory.
  double of_visit(double pair_bytes, double bucket_bytes) const {
    const double l2 = of_l2();
    const double room = static_cast<double>(gpu_.l2.size_bytes) * gpu_.l2.share;
    const double far = std::max(l2, gpu_.memory.latency_ns) - l2;
    return gpu::kAccessesOfVisit * l2 + (pair_bytes > room ? far : 0) +
           (pair_bytes + bucket_bytes > room ? far : 0);
  }

  // Time, ns, of the kernels of one block that go through the counts of all digits
  // (gpu/plan/times/digit_sums.h).
  //   bits: bits of the digits that are counted at once; passes: passes that these counts serve
  double of_sums(int bits, int passes) const {
    return gpu::lines_of_digit_sums(bits, passes > 1) / (gpu_.requests_of_cycle * gpu_.clock_hz) *
           1e9;
  }

 private:
  const GpuHardware& gpu_;
};

}  // namespace presort::predict
