// The memory system of a simulated GPU: takes warps' accesses, counts them, and says how long each
// resource is busy. It knows no kernel and no order in time: accesses come in the order in which
// resident warps make them, and everything that is busy works at the same time.
//   Resources of busy_ns():
//     "L1 and shared memory"  passes over banks, also of L1 hits; lines and bytes of the L2
//     "L2"                    the busiest slice: bytes of its sectors, or its requests
//     "atomics"               the busiest slice: sectors with atomics, or stored in part with ECC
//     "atomics at one slice"  the slice with most of them by address; lanes at one address take turns
//     "memory"                bytes
//     "memory rows"           activations
//     "translation"           page walks
//     "latency"               waits of loads over what a multiprocessor has outstanding
//   Sampling: as sim/gpu/device_l2.h says; everything but L2 hits and memory is counted in full.
//   Source: the model of a GPU's ceilings as in Williams et al. 2009 (roofline), with a ceiling for
//   each resource; addresses decide how busy each of them is.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "presort/core/machine/gpu_hardware.h"
#include "presort/sim/cache/cache_array.h"
#include "presort/sim/gpu/coalescing.h"
#include "presort/sim/gpu/device_l2.h"
#include "presort/sim/gpu/gpu_counts.h"
#include "presort/sim/gpu/warp_access.h"

namespace presort::inline v0::sim::gpu {

class GpuMemory {
 public:
  // Requires: gpu passes the checks of a machine file and outlives this object; 0 <= shift <= 16
  GpuMemory(const GpuHardware& gpu, int shift);

  // An access to global memory by a warp of a multiprocessor.
  // Requires: 0 <= multiprocessor < gpu.multiprocessors
  void access(int multiprocessor, const WarpAccess& access);

  // An access to shared memory. Multiprocessors share the work evenly.
  void access_shared(const WarpAccess& access);

  // Passes over shared memory that need no addresses, such as a table filled in order.
  void add_shared_passes(double passes);

  // Fills the L2 with lines that nothing uses, `dirty_share` of them written: what streams left before.
  void fill_l2(double dirty_share) { l2_.fill(dirty_share); }

  // While true, accesses only leave their sectors in the L2: most of a warm-up. Nothing is counted, and
  // L1s and translation stay as they are.
  void warm_l2_alone(bool alone) { warms_l2_alone_ = alone; }
  bool warms_l2_alone() const { return warms_l2_alone_; }

  // Forgets counts and times, not what caches hold: a warm-up has ended.
  void clear_counts();

  GpuCounts counts() const;

  // Busy time of each resource, ns, in the order above.
  std::vector<GpuBusy> busy_ns() const;

 private:
  void leave_in_l2(const WarpAccess& access);
  // Sends a request to a slice of the L2.
  void send(int multiprocessor, size_t slice, const SectorRequest& request,
            const WarpAccess& access);
  void translate(uint64_t address);
  bool hits_l1(int multiprocessor, uint64_t sector);

  const GpuHardware& gpu_;
  double scale_;  // lines for each sampled line
  DeviceL2 l2_;
  bool warms_l2_alone_ = false;
  std::vector<CacheArray> l1_;  // L1s that multiprocessors take by turns; empty: loads bypass them

  // Pages in order of use, the last one first, and where each stands.
  std::list<uint64_t> pages_;
  std::unordered_map<uint64_t, std::list<uint64_t>::iterator> place_of_page_;
  uint64_t last_page_ = ~uint64_t{0};

  GpuCounts counts_;
  double sampled_hits_ = 0, sampled_misses_ = 0, sampled_load_misses_ = 0;
  double multiprocessor_cycles_ = 0;  // of all multiprocessors together
  std::vector<double> slice_bytes_;   // bytes of each slice
  std::vector<double> slice_requests_;
  std::vector<double> slice_atomics_;  // sectors with atomics of each slice
  std::vector<double> slice_ns_;       // time of atomics at each slice, with turns at addresses
  double waited_ns_ = 0;               // waits of all loads, sector by sector
};

}  // namespace presort::sim::gpu
