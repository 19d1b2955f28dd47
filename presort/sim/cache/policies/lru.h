// Least-recently-used replacement, for arrays that do not keep their sets in order of use
// (cache_array.h): those with sectors or very many ways.
#pragma once

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/policy.h"
#include "presort/sim/cache/policies/ranks.h"

namespace presort::inline v0::sim {

class Lru : public PolicyDefaults {
 public:
  Lru(uint64_t sets, uint64_t ways, const Replacement&, uint64_t /*seed*/) : uses_(sets, ways) {}

  void hit(uint64_t set, uint64_t way) { uses_.touch(set, way); }
  void filled(uint64_t set, uint64_t way) { uses_.touch(set, way); }
  uint64_t victim(uint64_t set) const { return uses_.oldest(set); }
  void removed(uint64_t set, uint64_t way) { uses_.forget(set, way); }

 private:
  Ranks uses_;
};

}  // namespace presort::sim
