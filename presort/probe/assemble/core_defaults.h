// Properties of cores that a short probe cannot measure, by microarchitecture.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "presort/core/machine/machine.h"
#include "presort/probe/host/cpu_identity.h"
#include "presort/probe/host/topology.h"

namespace presort::inline v0::probe {

struct TlbGeometry {
  uint64_t entries = 0;
  uint64_t ways = 0;  // ways of a TLB; equal to entries: fully associative
};

// Outstanding demand misses at which prefetchers yield. Kinds and degree of the prefetchers are in
// the manuals of every core of the table (Intel 248966, "Data Prefetch to L2 and L3"). So is that
// the streamer fetches "less far ahead" and into the last level while "many" requests are
// outstanding, but not how many those are: direct loops with zipf:1.25 and clustered labels want
// fewer than 12, streams alone more than 3 (docs/results/validation.md). On a Zen 3 and a Zen 5
// streams do not yield: inputs come as fast beside random accesses to the last level as alone
// (docs/results/loops.md, "Stores and streams of a Zen 3", "Streams of a Zen 5").
inline constexpr int kHeavyLoad = 6;

// Name of the table row for an unknown core: all its numbers are guesses.
inline constexpr const char* kUnknownCore = "generic";

struct CoreDefaults {
  const char* name;
  int dispatch_width;  // width: fused micro-operations per cycle
  int adders;          // integer adds per cycle; 0: not known
  Window window;
  double branch_miss_cycles;
  TlbGeometry tlb_small;     // first TLB level for loads, 4 KiB pages
  TlbGeometry tlb_huge;      // first TLB level, loads, 2 MiB pages; as tlb_small if unified
  bool tlb_unified;          // true: one first-level TLB for both page sizes
  TlbGeometry tlb_second;    // second TLB level, for both page sizes
  double tlb_second_cycles;  // cycles that a hit in the second TLB adds
  int walkers;
  uint64_t pde_entries;  // entries of the page-walk caches (core/machine/machine.h)
  uint64_t pdpte_entries;
  uint64_t pml4e_entries;
  int l1_queue;    // misses that the L1d may have outstanding
  int l2_queue;    // misses that the L2 may have outstanding
  Fill last_fill;  // how the last cache level is filled: on a miss, or with dropped lines
  // Hyper-threads per core as built: a guest, or a system with them off, sees one
  int threads_per_core;
  const char* source;
  // How the second level's stream prefetcher behaves: Prefetcher::yields_at and ::crosses_after.
  // No value of the latter: neither documented nor tried, as the probe finds it
  // (Findings::streams_cross_after)
  int streams_yield_at = kHeavyLoad;
  std::optional<int> streams_cross_after = 0;
  // True: a stream leaves lines in the last level that were used again (srrip instead of random
  // replacement); docs/results/notebook/draws-caches.md, "A last level that others share"
  bool last_resists_streams = false;
  // Misses that the last level may have outstanding, of all cores that share it; 0: not known
  int last_queue = 0;
};

std::span<const CoreDefaults> core_table();

// Independent adds per cycle that meter.h measures on a core of this row that nobody else uses; 0:
// not known.
double uncrowded_adds_per_cycle(const CoreDefaults& core);

// The table row for this processor: by vendor, family and model where these are known and agree
// with the instruction sets and cache sizes that are really there; otherwise by instruction sets
// and cache sizes.
const CoreDefaults& core_defaults(const CpuIdentity& cpu, const Topology& topology);

}  // namespace presort::probe
