// Any way with equal probability, from a seed.
#pragma once

#include "core/random.h"
#include "core/replacement.h"
#include "sim/cache/policies/policy.h"

namespace presort::sim {

class Random : public PolicyDefaults {
 public:
  Random(uint64_t /*sets*/, uint64_t ways, const Replacement&, uint64_t seed)
      : ways_(ways), state_(seed) {}

  void hit(uint64_t /*set*/, uint64_t /*way*/) {}
  void filled(uint64_t /*set*/, uint64_t /*way*/) {}
  uint64_t victim(uint64_t /*set*/) {
    // Knuth's MMIX generator; its high bits decide.
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return bounded(state_, ways_);
  }

 private:
  uint64_t ways_;
  uint64_t state_;
};

}  // namespace presort::sim
