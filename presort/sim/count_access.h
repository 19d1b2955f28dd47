// Counts what one access record does to TLBs and caches, without time.
#pragma once

#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/tlb/translation.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

// Applies an access record to TLBs and caches and counts it. Returns false for a branch, which
// touches no memory.
inline bool count_access(const Access& record, Translation& translation, CacheStack& caches) {
  if (record.kind == AccessKind::branch) {
    return false;
  }
  const uint64_t physical = translation.warm(record.address);
  const bool prefetch = record.kind == AccessKind::prefetch;
  caches.set_instruction(prefetch ? 0 : record.instruction, physical);
  if (record.kind == AccessKind::streamingStore) {
    caches.warm_stream_store(physical, record.size);
  } else {
    caches.warm(0, physical >> caches.line_shift(), record.kind == AccessKind::store, record.size);
  }
  return true;
}

}  // namespace presort::sim
