// The counts and the simulated time of one core.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "presort/core/prediction.h"
#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/pipeline/core.h"
#include "presort/sim/tlb/translation.h"

namespace presort::inline v0::sim {

struct Statistics {
  double ns = 0;       // simulated time since the last reset, ns
  TimeStack stack_ns;  // the time stack: parts of `ns` by what the core waited for
  std::vector<LevelCounts> levels;
  std::vector<TlbCounts> tlb;
  uint64_t walks = 0;
  uint64_t memory_reads = 0;  // number of lines that the core read from memory
  uint64_t memory_writes = 0;
  uint64_t memory_partial_writes = 0;  // writes of lines that streaming stores did not fill
  uint64_t accesses = 0;               // loads, stores and prefetches, timed or only counted
  // Counts of the block device; no value on machines without one
  std::optional<StorageCounts> storage;
};

// Gathers the statistics of a core since the reset at time `since`, cycles; does not set `accesses`
// and `storage`.
Statistics gather_statistics(const Core& core, const CacheStack& caches,
                             const Translation& translation, double since, double ns_per_cycle);

}  // namespace presort::sim
