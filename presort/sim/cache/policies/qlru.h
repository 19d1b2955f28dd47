// Quad-age LRU, the policies of Intel's L2 and L3 caches since Nehalem. The parts of the name:
//   Hxy       a hit turns age 3 into x, age 2 into y, 1 and 0 into 0
//   Mx, MRxy  a new line has age x (MRxy: y in one of 16 cases)
//   R0        the first line of age 3 is replaced; empty ways fill from the first
//   R1        as R0, and the first line when none is of age 3
//   R2        as R0, but empty ways fill from the last
//   U0, U1    when no line is of age 3, all age (U1: all but the one just used) until one is
//   U2, U3    when no line is of age 3, all age by one (U3: all but the one just used)
//   UMO       ages are updated before a miss is served only; otherwise after each access
// An empty way has age 3. Where R0 and R2 find no age 3 (with U1 in a set of one way), they take
// the first line as R1 does.
// Source: Abel and Reineke, "nanoBench: a low-overhead tool for running microbenchmarks on x86
//         systems", ISPASS 2020, section VI-B, and the simulator that comes with the tool.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/policy.h"

namespace presort::inline v0::sim {

class Qlru : public PolicyDefaults {
 public:
  Qlru(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed)
      : parts_(policy.qlru),
        after_hit_{0, 0, parts_.hit_at_2, parts_.hit_at_3},
        ways_(ways),
        seed_(seed),
        ages_(sets * ways, kOldest) {}

  bool fills_last_way_first() const { return parts_.replace == 2; }

  void hit(uint64_t set, uint64_t way) {
    uint8_t& age = ages_[set * ways_ + way];
    age = after_hit_[age];
    if (!parts_.update_on_miss_only) {
      update(set, way);
    }
  }

  void missed(uint64_t set) {
    if (parts_.update_on_miss_only) {
      update(set, ways_);
    }
  }

  void filled(uint64_t set, uint64_t way) {
    ages_[set * ways_ + way] = new_age();
    if (!parts_.update_on_miss_only) {
      update(set, way);
    }
  }

  void removed(uint64_t set, uint64_t way) { ages_[set * ways_ + way] = kOldest; }

  uint64_t victim(uint64_t set) const {
    const uint8_t* ages = ages_.data() + set * ways_;
    const uint8_t* oldest = std::find(ages, ages + ways_, kOldest);
    return oldest == ages + ways_ ? 0 : static_cast<uint64_t>(oldest - ages);
  }

 private:
  static constexpr uint8_t kOldest = 3;
  static constexpr uint64_t kFillsPerRare = 16;

  uint8_t new_age() {
    if (parts_.insert == parts_.rare_insert) {
      return parts_.insert;
    }
    const uint64_t draw = bounded(random_u64(seed_, fills_++), kFillsPerRare);
    return draw == 0 ? parts_.rare_insert : parts_.insert;
  }

  // Ages the lines of a set, if the policy's rule U0 to U3 calls for it. `used` is the way just
  // used, or ways_ if none was.
  void update(uint64_t set, uint64_t used) {
    uint8_t* ages = ages_.data() + set * ways_;
    const bool spare_used = parts_.update == 1 || parts_.update == 3;
    // Rule U1 looks for age 3 among the ways that were not just used, rule U3 among all.
    uint8_t oldest = 0;
    for (uint64_t way = 0; way < ways_; ++way) {
      if (way != used || parts_.update != 1) {
        oldest = std::max(oldest, ages[way]);
      }
    }
    const int missing = parts_.update < 2 ? kOldest - oldest : (oldest < kOldest ? 1 : 0);
    for (uint64_t way = 0; missing > 0 && way < ways_; ++way) {
      if (way != used || !spare_used) {
        ages[way] = static_cast<uint8_t>(ages[way] + missing);
      }
    }
  }

  QlruParts parts_;
  std::array<uint8_t, 4> after_hit_;  // new age of a line after a hit; index: age before it
  uint64_t ways_;
  uint64_t seed_;
  uint64_t fills_ = 0;
  std::vector<uint8_t> ages_;
};

}  // namespace presort::sim
