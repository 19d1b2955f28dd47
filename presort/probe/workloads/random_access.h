// Independent random accesses: what a core overlaps when addresses are known ahead.
#pragma once

#include <cstdint>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/arena.h"

namespace presort::inline v0::probe {

// Uniform random 4-byte accesses in the first `footprint_bytes` of the arena. Each slice takes
// other addresses, so that nothing is found in a cache because the last slice was there.
class RandomAccess {
 public:
  // Makes accesses to a footprint. Requires: footprint_bytes is a power of two, at most the arena's
  RandomAccess(Arena& arena, uint64_t footprint_bytes);

  void warm(uint64_t loads);
  Slice loads(uint64_t count);    // time of a random load, ns
  Slice updates(uint64_t count);  // time of a random load, add, store, ns

 private:
  uint32_t* words_;
  int shift_;          // shift from 64 random bits to an index
  uint64_t next_ = 0;  // number of the next access
};

}  // namespace presort::probe
