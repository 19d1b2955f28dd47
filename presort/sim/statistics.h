// The counts of one core, and where its time went.
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
  double ns = 0;       // simulated time since the last reset
  TimeStack stack_ns;  // parts of the simulated time, ns, that add up to the whole
  std::vector<LevelCounts> levels;
  std::vector<TlbCounts> tlb;
  uint64_t walks = 0;
  uint64_t memory_reads = 0;  // lines read from memory
  uint64_t memory_writes = 0;
  uint64_t memory_partial_writes = 0;    // memory writes by streaming stores that did not fill a
                                         // line
  uint64_t accesses = 0;                 // loads, stores, prefetches run or counted
  std::optional<StorageCounts> storage;  // only for a machine with a block device
};

// The statistics of a core since the reset at time `since`, cycles; does not set `accesses` and
// `storage`.
Statistics gather_statistics(const Core& core, const CacheStack& caches,
                             const Translation& translation, double since, double ns_per_cycle);

}  // namespace presort::sim
