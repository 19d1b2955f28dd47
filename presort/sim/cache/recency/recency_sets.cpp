#include "presort/sim/cache/recency/recency_sets.h"

#include "presort/core/base/checked.h"

namespace presort::inline v0::sim {

static_assert(kSetRoom * sizeof(uint64_t) == kHostLine, "sets are aligned to lines of the host");

RecencySets::RecencySets(uint64_t sets, uint64_t ways, Simd simd)
    : ways_(ways),
      blocks_((ways + kSetBlock - 1) / kSetBlock),
      room_(saturating_round_up(ways, kSetRoom)),
      functions_(&set_functions(simd)),
      entries_(static_cast<uint64_t*>(zeroed_host_memory(
          saturating_multiply(saturating_multiply(sets, room_), sizeof(uint64_t))))) {}

}  // namespace presort::sim
