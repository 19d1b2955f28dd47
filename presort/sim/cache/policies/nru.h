// Not recently used: one bit per line, cleared by a use; the victim is the first line whose bit is
// set, and where none is, all are set again. This is RRIP with one bit.
// Source: Jaleel et al., ISCA 2010, section 3.1 and figure 3.
#pragma once

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/srrip.h"

namespace presort::inline v0::sim {

class Nru : public Srrip {
 public:
  Nru(uint64_t sets, uint64_t ways, const Replacement&, uint64_t /*seed*/) : Srrip(sets, ways, 1) {}
};

}  // namespace presort::sim
