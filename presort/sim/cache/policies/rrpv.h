// Re-reference prediction values, one per line: 0 is predicted to be used soon, 2^bits - 1
// (distant) last.
// Source: Jaleel, Theobald, Steely, Emer, "High performance cache replacement using re-reference
//         interval prediction (RRIP)", ISCA 2010, sections 3 and 4.
#pragma once

#include <algorithm>
#include <vector>

#include "presort/sim/cache/policies/policy.h"

namespace presort::inline v0::sim {

class Rrpvs : public PolicyDefaults {
 public:
  // Bits of a prediction value; 2 do nearly as well as more (the paper's section 5)
  static constexpr int kBits = 2;

  Rrpvs(uint64_t sets, uint64_t ways, int bits)
      : ways_(ways),
        distant_(static_cast<uint8_t>((1 << bits) - 1)),
        values_(sets * ways, distant_) {}

  uint8_t distant() const { return distant_; }
  // Prediction value of the paper's "long" re-reference interval: one below distant
  uint8_t lengthy() const { return static_cast<uint8_t>(distant_ - 1); }

  void set_value(uint64_t set, uint64_t way, uint8_t value) { values_[set * ways_ + way] = value; }

  // Hit priority (HP): a line that was used once is predicted to be used soon again.
  void hit(uint64_t set, uint64_t way) { set_value(set, way, 0); }
  void removed(uint64_t set, uint64_t way) { set_value(set, way, distant_); }

  // The victim: the first line with the distant value; if there is none, all values are raised
  // until there is one.
  uint64_t victim(uint64_t set) {
    uint8_t* values = values_.data() + set * ways_;
    const uint8_t* oldest = std::max_element(values, values + ways_);
    const auto way = static_cast<uint64_t>(oldest - values);
    const auto missing = static_cast<uint8_t>(distant_ - *oldest);
    for (uint64_t i = 0; missing > 0 && i < ways_; ++i) {
      values[i] = static_cast<uint8_t>(values[i] + missing);
    }
    return way;
  }

 private:
  uint64_t ways_;
  uint8_t distant_;
  std::vector<uint8_t> values_;
};

}  // namespace presort::sim
