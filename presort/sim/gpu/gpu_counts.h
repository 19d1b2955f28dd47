// The counts of a simulated GPU, and how long its resources were busy.
#pragma once

#include <string_view>
#include <vector>

namespace presort::inline v0::sim::gpu {

// Counts of accesses. Units: sectors unless a member says otherwise. L2 and memory are counted in
// a sample of the lines and scaled, hence no whole numbers.
struct GpuCounts {
  double sectors = 0;         // sectors that warps asked for, in global memory
  double l1_hits = 0;         // sectors of loads that an L1 had
  double l2_hits = 0;         // sectors that the L2 had
  double l2_misses = 0;       // sectors that the L2 did not have
  double load_misses = 0;     // those of l2_misses that loads asked for
  double far = 0;             // sectors whose slice is in another partition than the multiprocessor
  double atomic_sectors = 0;  // sectors that atomics updated in the L2
  double atomic_lanes = 0;    // lanes that updated them
  double memory_read = 0;
  double memory_written = 0;
  double rows = 0;           // rows of memory that were activated
  double shared_passes = 0;  // passes over the banks of shared memory, of warps' accesses
  double shared_least = 0;   // passes without bank conflicts
  double walks = 0;          // page walks

  GpuCounts& operator+=(const GpuCounts& other);
  GpuCounts scaled(double factor) const;
  // Share of the sectors that reached the L2 and hit there; 1 where none did.
  double l2_hit_ratio() const {
    const double all = l2_hits + l2_misses;
    return all > 0 ? l2_hits / all : 1;
  }
};

// Time that one resource of the GPU is busy, ns.
struct GpuBusy {
  std::string_view resource;
  double ns = 0;
};

// The resource that is busy longest. Requires: not empty
const GpuBusy& longest(const std::vector<GpuBusy>& busy);

}  // namespace presort::sim::gpu
