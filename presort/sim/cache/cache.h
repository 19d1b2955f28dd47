// One cache of a simulated machine: its tags, its outstanding misses and prefetchers, how it treats
// writes, and the caches above whose lines it has to include.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/cache_array.h"
#include "presort/sim/cache/copies.h"
#include "presort/sim/cache/in_flight.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/cache/outstanding.h"
#include "presort/sim/cache/prefetchers/prefetcher.h"

namespace presort::inline v0::sim {

struct Cache {
  // `yields_at` is Prefetcher::yields_at of the level's prefetchers
  Cache(const CacheLevel& level, uint8_t blame_term, uint64_t seed, int yields_at);

  CacheArray tags;
  MissRegisters registers;
  // Outstanding demand misses, at too many of which prefetchers yield
  Outstanding demand_misses;
  InFlight in_flight;
  // Lines that another core has asked for: until its request arrives, this cache's core uses them
  InFlight leaving;
  double latency;  // latency of a hit, cycles
  uint8_t term;    // number of the cache level's term in the time stack
  // True: a victim cache: only lines dropped by the level above enter it, and they leave it when
  // hit
  bool victims_only;
  bool through;  // true: write-through; writes go on to the level below and make nothing dirty here
  // true: write-allocate; a write that misses here brings its sector or line in
  bool takes_write_miss;
  bool inclusive;  // true: inclusive; lines that this cache drops leave the levels above as well
  // True: stores end here, as the cache is write-back and brings lines in on a store miss
  bool takes_stores;
  std::vector<std::unique_ptr<LinePrefetcher>> prefetchers;
  // Lines that this cache's prefetchers want after the current access
  std::vector<uint64_t> wanted;

  // The cache's only prefetcher, if it is of this kind; else null.
  template <class Kind>
  Kind* only_prefetcher() const {
    return prefetchers.size() == 1 ? dynamic_cast<Kind*>(prefetchers.front().get()) : nullptr;
  }

  // True if a missing line continues a stream that a prefetcher already follows. Such misses do not
  // make the prefetchers yield; only misses that they could not have foreseen do.
  bool follows(uint64_t line) const;

  // Table in which copies of several cores are looked up; null if other cores never look for lines
  // in this cache. `holder`: the holder that this cache's lines are counted for.
  Copies* copies = nullptr;
  size_t holder = 0;

  // True: the cache may hold the line, so it has to be looked up in `tags`.
  bool may_have(uint64_t line) const { return copies == nullptr || copies->may_have(holder, line); }
  // CacheArray's insert_line, insert and remove, noted in the table of copies.
  CacheArray::Whole insert_line(uint64_t line, uint8_t flags) {
    const CacheArray::Whole victim = tags.insert_line(line, flags);
    if (copies != nullptr) {
      copies->add(holder, line);
      if (victim.valid()) {
        copies->remove(holder, victim.line);
      }
    }
    return victim;
  }
  CacheArray::Victim insert(uint64_t unit, uint8_t flags);
  CacheArray::Victim remove(uint64_t unit) {
    const CacheArray::Victim victim = tags.remove(unit);
    if (copies != nullptr && victim.valid()) {
      copies->remove(holder, unit);
    }
    return victim;
  }

  // A cache above an inclusive one, with the counts to note invalidations in. Listed nearest first.
  struct Above {
    Cache* cache;
    LevelCounts* counts;
  };
  std::vector<Above> above;
};

}  // namespace presort::sim
