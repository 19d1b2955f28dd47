// Bimodal re-reference interval prediction: nearly all new lines are predicted to be used last, one
// in 32 only late, so that part of a working set larger than the cache stays.
// Source: Jaleel et al., ISCA 2010, section 4.2; one in 32 as in Qureshi et al., "Adaptive
//         insertion policies for high performance caching", ISCA 2007, section 4.2.
// A counter over all sets picks exactly every 32nd line.
#pragma once

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/rrpv.h"

namespace presort::inline v0::sim {

class Brrip : public Rrpvs {
 public:
  static constexpr uint64_t kFillsPerLong = 32;

  Brrip(uint64_t sets, uint64_t ways, const Replacement&, uint64_t /*seed*/)
      : Rrpvs(sets, ways, kBits) {}

  void filled(uint64_t set, uint64_t way) {
    const bool is_long = ++fills_ % kFillsPerLong == 0;
    set_value(set, way, is_long ? lengthy() : distant());
  }

 private:
  uint64_t fills_ = 0;
};

}  // namespace presort::sim
