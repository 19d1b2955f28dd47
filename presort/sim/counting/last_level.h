// Warms the last cache level alone: the part of counting that a large cache needs most of, and the
// quickest. It brings a last level into the state that long past accesses left in it; accesses as
// recent as the other levels remember are counted in full afterwards.
// Each record's line is taken as having left the levels above at once: found in the last level it
// is used there, otherwise it enters. A victim level gives a line that it holds away and takes it
// back, as its replacement policy sees lines that go and come, and no other uses. A store leaves
// the line dirty. TLBs, other cache levels, prefetchers and counts stay as they are, and no page is
// walked.
#pragma once

#include <cstdint>
#include <span>

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/tlb/translation.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

class LastLevel {
 public:
  // True if the last level may be warmed alone: one core; two levels or more; no inclusive level; a
  // last level without sectors that takes what is written back to it.
  static bool fit(CacheStack& caches);

  // `policy`: replacement policy of the last level
  // Requires: fit(caches); caches and translation outlive this object
  LastLevel(CacheStack& caches, Translation& translation, const Replacement& policy);

  // Warms the last level with loads and stores; other records do nothing.
  void warm(std::span<const Access> records);

 private:
  // Uses a line that the last level holds, or brings it in.
  void put(uint64_t set, uint64_t line, uint64_t flags);

  CacheArray& tags_;
  Translation& translation_;
  int line_shift_;
  // True: a line that is found leaves the level and comes back. Policies that do not tell a hit
  // from a new line (LRU, random) need not see that.
  bool lines_return_;
};

}  // namespace presort::sim
