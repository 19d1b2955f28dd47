// First-in, first-out replacement: a hit changes nothing.
#pragma once

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/policy.h"
#include "presort/sim/cache/policies/ranks.h"

namespace presort::inline v0::sim {

class Fifo : public PolicyDefaults {
 public:
  Fifo(uint64_t sets, uint64_t ways, const Replacement&, uint64_t /*seed*/)
      : arrivals_(sets, ways) {}

  void hit(uint64_t /*set*/, uint64_t /*way*/) {}
  void filled(uint64_t set, uint64_t way) { arrivals_.touch(set, way); }
  uint64_t victim(uint64_t set) const { return arrivals_.oldest(set); }

 private:
  Ranks arrivals_;
};

}  // namespace presort::sim
