// Warms the last cache level alone: the part of counting that a large cache needs most of, and the
// quickest. It brings a last level into the state that long past accesses left in it; accesses as
// recent as the other levels remember are counted in full afterwards.
// Each record's line is taken as having left the levels above at once: found in the last level it
// is used there, otherwise it enters. A store leaves it dirty. TLBs, other cache levels,
// prefetchers and counts stay as they are, and no page is walked.
#pragma once

#include <cstdint>
#include <span>

#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/tlb/translation.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class LastLevel {
 public:
  // True if the last level may be warmed alone: one core; two levels or more; no inclusive level; a
  // last level without sectors that takes what is written back to it.
  static bool fit(CacheStack& caches);

  // Requires: fit(caches); both outlive this object
  LastLevel(CacheStack& caches, Translation& translation)
      : tags_(caches.cache(caches.levels() - 1).tags),
        translation_(translation),
        line_shift_(caches.line_shift()) {}

  // Warms the last level with loads and stores; other records do nothing.
  void warm(std::span<const Access> records);

 private:
  CacheArray& tags_;
  Translation& translation_;
  int line_shift_;
};

}  // namespace presort::sim
