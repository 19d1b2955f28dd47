// Timed translations of pages that are not the latest of their set of the first TLB level, compiled
// for each instruction set. Times and counts are the same to the last bit whichever is used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/sim/cache/recency/simd.h"
#include "presort/sim/tlb/tlb_state.h"

namespace presort::inline v0::sim {

class CacheStack;

// A translation of an address that asks the first TLB level at `t`, cycles, by a load or a store.
// Reads of page walks enter the caches at `entry_level`. Returns when the translation arrives.
using TimedWalks = double (*)(TlbState& tlb, CacheStack& caches, size_t entry_level,
                              const TlbState::PageKind& kind, uint64_t address, double t,
                              bool load);

// The function for an instruction set; the general one where some array does not keep its entries
// in order of use, or while the general path is forced (timed_levels.h).
// Requires: runs_simd(simd)
TimedWalks timed_walks(TlbState& tlb, Simd simd = simd_in_use());

}  // namespace presort::sim
