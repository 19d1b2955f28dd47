// Properties of cores that a short probe cannot measure, by microarchitecture.
#pragma once

#include <cstdint>
#include <span>

#include "presort/core/machine/machine.h"
#include "presort/probe/host/cpu_identity.h"
#include "presort/probe/host/topology.h"

namespace presort::inline v0::probe {

struct TlbGeometry {
  uint64_t entries = 0;
  uint64_t ways = 0;  // equal to entries: fully associative
};

// The row of a core that none of the others is like: all its numbers are guesses.
inline constexpr const char* kUnknownCore = "generic";

struct CoreDefaults {
  const char* name;
  int dispatch_width;  // fused micro-operations per cycle
  int adders;          // integer adds per cycle; 0: not known
  Window window;       // loads: in flight until retirement
  double branch_miss_cycles;
  TlbGeometry tlb_small;     // first level, loads, 4 KiB
  TlbGeometry tlb_huge;      // first level, loads, 2 MiB; same entries as tlb_small if unified
  bool tlb_unified;          // one first-level array for both page sizes
  TlbGeometry tlb_second;    // second level, both page sizes
  double tlb_second_cycles;  // cycles that a hit in the second level adds
  int walkers;
  uint64_t pde_entries;  // page-walk caches; see core/machine/machine.h
  uint64_t pdpte_entries;
  uint64_t pml4e_entries;
  int l1_queue;          // L1d misses outstanding
  int l2_queue;          // L2 misses outstanding
  Fill last_fill;        // how the last cache level fills
  int threads_per_core;  // hyper-threads as built: a guest, or with them switched off, sees one
  const char* source;
};

std::span<const CoreDefaults> core_table();

// Additions a cycle that meter.h measures on a core of this row that nobody else uses; 0: not
// known.
double uncrowded_adds_per_cycle(const CoreDefaults& core);

// The row for this processor: by vendor, family and model where they are known and agree with the
// instruction sets and cache sizes that are really there, and by the latter otherwise.
const CoreDefaults& core_defaults(const CpuIdentity& cpu, const Topology& topology);

}  // namespace presort::probe
