// Random replacement: the victim is any way with equal probability, from a seed.
#pragma once

#include "presort/core/base/random.h"
#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/policy.h"

namespace presort::inline v0::sim {

class Random : public PolicyDefaults {
 public:
  Random(uint64_t /*sets*/, uint64_t ways, const Replacement&, uint64_t seed)
      : ways_(ways), state_(seed) {}

  void hit(uint64_t /*set*/, uint64_t /*way*/) {}
  void filled(uint64_t /*set*/, uint64_t /*way*/) {}
  uint64_t victim(uint64_t /*set*/) {
    // Random numbers from Knuth's MMIX generator; their high bits decide.
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return bounded(state_, ways_);
  }

 private:
  uint64_t ways_;
  uint64_t state_;
};

}  // namespace presort::sim
