// One cache as it stands in a machine: its tags, what is on the way to it, how it treats writes,
// and whose contents it has to include.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"
#include "presort/sim/cache/cache_array.h"
#include "presort/sim/cache/in_flight.h"
#include "presort/sim/cache/miss_registers.h"
#include "presort/sim/cache/outstanding.h"
#include "presort/sim/cache/prefetcher.h"

namespace presort::inline v0::sim {

struct Cache {
  // `yields_at` is Prefetcher::yields_at of the level's prefetchers
  Cache(const CacheLevel& level, uint8_t blame_term, uint64_t seed, int yields_at);

  CacheArray tags;
  MissRegisters registers;
  // Outstanding demand misses: prefetchers yield when there are too many
  Outstanding demand_misses;
  InFlight in_flight;
  double latency;  // latency of a hit, cycles
  uint8_t term;    // the level's term in the time stack
  // True: a victim cache; lines dropped by the level above enter it, and leave when hit
  bool victims_only;
  bool through;           // writes go on to the level below; no write makes a unit dirty
  bool takes_write_miss;  // true: a write that misses here brings its unit in
  bool inclusive;         // true: lines that it drops leave the levels above as well
  // True: stores end here, as the cache is write-back and brings lines in on a store miss
  bool takes_stores;
  std::vector<std::unique_ptr<LinePrefetcher>> prefetchers;
  std::vector<uint64_t> wanted;  // lines that prefetchers want after the current access

  // True if a miss goes on in a stream of a prefetcher. Such misses do not make the prefetcher
  // yield; it yields to misses that it could not have foreseen.
  bool follows(uint64_t line) const;

  // A cache above an inclusive one, with the counts to note invalidations in. Listed nearest first.
  struct Above {
    Cache* cache;
    LevelCounts* counts;
  };
  std::vector<Above> above;
};

}  // namespace presort::sim
