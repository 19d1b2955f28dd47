// Static re-reference interval prediction with hit priority: a new line is predicted to be used
// late, so that a scan pushes out itself.
// Source: Jaleel et al., ISCA 2010, section 4.1.
#pragma once

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/rrpv.h"

namespace presort::inline v0::sim {

class Srrip : public Rrpvs {
 public:
  Srrip(uint64_t sets, uint64_t ways, const Replacement&, uint64_t /*seed*/)
      : Srrip(sets, ways, kBits) {}
  Srrip(uint64_t sets, uint64_t ways, int bits) : Rrpvs(sets, ways, bits) {}

  void filled(uint64_t set, uint64_t way) { set_value(set, way, lengthy()); }
};

}  // namespace presort::sim
