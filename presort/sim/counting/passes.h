// Counting in two passes over blocks of records. The state of TLBs, page-walk caches and the first
// cache level depends on nothing below them, so the first pass brings these up to date and lists
// the requests of the first level to the levels below. The second pass goes through the list.
// The list tells early which lines will be wanted, so that their sets are fetched into the host's
// caches in time. Counts are those of CacheStack::warm, record by record.
#pragma once

#include <cstdint>
#include <span>

#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/cache/prefetchers/next_line.h"
#include "presort/sim/cache/prefetchers/stream_prefetcher.h"
#include "presort/sim/cache/recency/simd.h"
#include "presort/sim/counting/requests.h"
#include "presort/sim/tlb/translation.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class CountingPasses {
 public:
  // True if the caches have the shape that the passes support: two or three levels; a first level
  // with LRU that brings in lines on a miss; levels below that take write-backs; no sectors,
  // inclusion, coherence, prefetchers of the third level or prefetchers that tell instructions
  // apart; walks that enter the first or the second level.
  static bool fit(CacheStack& caches, const Translation& translation);

  // Makes passes over the given caches and TLBs.
  // Requires: fit(caches, translation); both outlive the passes; runs_simd(simd)
  CountingPasses(CacheStack& caches, Translation& translation, Simd simd = simd_in_use());

  // Counts records, and returns the number of accesses among them: all but branches. All counts are
  // up to date when it returns.
  uint64_t count(std::span<const Access> records) { return first_(stack_, records, second_); }

  struct Stack {
    CacheStack* caches;
    Translation* translation;
    bool tlb_in_order;  // TlbState::in_order
    // The only prefetcher of the first level, if it is of this kind; else null
    NextLinePrefetcher* next_line;
    StreamPrefetcher* stream;  // the same of the second level
    // Requests of the first cache level for the second pass; empty between calls
    RequestList requests;
  };
  using Second = void (*)(Stack&);
  using First = uint64_t (*)(Stack&, std::span<const Access>, Second);

 private:
  Stack stack_;
  First first_;  // first pass; runs the second one when the request list is full, and at the end
  Second second_;
};

}  // namespace presort::sim
