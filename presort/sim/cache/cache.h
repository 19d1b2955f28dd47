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
  // yields_at: Prefetcher::yields_at of the level's prefetchers
  Cache(const CacheLevel& level, uint8_t blame_term, uint64_t seed, int yields_at);

  CacheArray tags;
  MissRegisters registers;
  Outstanding demand_misses;  // as many as its prefetchers yield to
  InFlight in_flight;
  double latency;         // cycles
  uint8_t term;           // of the time stack
  bool victims_only;      // filled with what the level above drops, and gives it back when hit
  bool through;           // writes go on to the level below; no write makes a unit dirty
  bool takes_write_miss;  // a write that misses here brings its unit in
  bool inclusive;         // what this drops, the levels above drop too
  bool takes_stores;      // a store that hits or is brought in ends here: none of the above
  std::vector<std::unique_ptr<LinePrefetcher>> prefetchers;
  std::vector<uint64_t> wanted;  // by the prefetchers, of the access at hand

  // What an inclusive cache includes, nearest to it first, with the counts to note it in.
  struct Above {
    Cache* cache;
    LevelCounts* counts;
  };
  std::vector<Above> above;
};

}  // namespace presort::sim
