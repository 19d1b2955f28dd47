// Counting in two passes over blocks of records. The state of TLBs, page-walk caches and the first
// cache level depends on nothing below them, so the first pass brings these up to date and lists
// what the first level asks of those below; the second pass goes through the list. Whoever looks a
// list up knows early which lines will be wanted, and fetches their sets into the host's caches.
// Counts are those of CacheStack::warm, record by record.
#pragma once

#include <cstdint>
#include <span>

#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/cache/recency/simd.h"
#include "presort/sim/counting/requests.h"
#include "presort/sim/tlb/translation.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class CountingPasses {
 public:
  // Whether the caches have the shape that the passes are made for: two or three levels; a first
  // level with LRU that brings in what it misses; below it levels that are written back to; no
  // sectors, inclusion, coherence, prefetchers of the third level or prefetchers that tell
  // instructions apart; walks that enter the first or the second level.
  static bool fit(CacheStack& caches, const Translation& translation);

  // Requires: fit(caches, translation); both outlive this; runs_simd(simd)
  CountingPasses(CacheStack& caches, Translation& translation, Simd simd = simd_in_use());

  // Counts are up to date when it returns.
  void count(std::span<const Access> records) { first_(stack_, records, second_); }

  struct Stack {
    CacheStack* caches;
    Translation* translation;
    RequestList requests;  // empty between calls
  };
  using Second = void (*)(Stack&);
  using First = void (*)(Stack&, std::span<const Access>, Second);

 private:
  Stack stack_;
  First first_;  // calls the second pass when the list is full, and in the end
  Second second_;
};

}  // namespace presort::sim
