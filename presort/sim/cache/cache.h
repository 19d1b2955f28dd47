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
  Outstanding demand_misses;  // outstanding demand misses, as far as its prefetchers need to know
  InFlight in_flight;
  double latency;         // latency of a hit, cycles
  uint8_t term;           // the level's term in the time stack
  bool victims_only;      // a victim cache: filled with what the level above drops, and gives lines
                          // back when hit
  bool through;           // writes go on to the level below; no write makes a unit dirty
  bool takes_write_miss;  // a write that misses here brings its unit in
  bool inclusive;         // inclusive cache: what it drops, the levels above drop too
  bool takes_stores;      // stores that hit this cache, or are brought in, end in it
  std::vector<std::unique_ptr<LinePrefetcher>> prefetchers;
  std::vector<uint64_t> wanted;  // lines that prefetchers want after the current access

  // A cache above an inclusive one, with the counts to note invalidations in. Listed nearest first.
  struct Above {
    Cache* cache;
    LevelCounts* counts;
  };
  std::vector<Above> above;
};

}  // namespace presort::sim
