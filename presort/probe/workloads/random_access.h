// Times independent random accesses, whose addresses are known ahead: what a core overlaps.
#pragma once

#include <cstdint>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/arena.h"

namespace presort::inline v0::probe {

// Uniform random 4-byte accesses in the first `footprint_bytes` of the arena. Each slice takes
// other addresses, so that it finds nothing in a cache from the slice before.
class RandomAccess {
 public:
  // Makes accesses to a footprint. Requires: footprint_bytes is a power of two, at most the arena's
  RandomAccess(Arena& arena, uint64_t footprint_bytes);

  void warm(uint64_t loads);
  Slice loads(uint64_t count);    // times random loads, ns each
  Slice updates(uint64_t count);  // times random updates (load, add, store), ns each

 private:
  uint32_t* words_;
  int shift_;          // right shift that makes an index of 64 random bits
  uint64_t next_ = 0;  // number of the next random access
};

}  // namespace presort::probe
