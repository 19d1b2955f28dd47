// Bit pseudo-LRU, also called MRU: each use marks its way; when the last unmarked way of a set is
// marked, the marks of the others go. The victim is the first way without a mark.
// Source: Al-Zoubi, Milenkovic, Milenkovic, "Performance evaluation of cache replacement policies
//         for the SPEC CPU2000 benchmark suite", ACM Southeast 2004, section 2 (PLRUm).
#pragma once

#include <algorithm>
#include <vector>

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/policy.h"

namespace presort::inline v0::sim {

class BitPlru : public PolicyDefaults {
 public:
  BitPlru(uint64_t sets, uint64_t ways, const Replacement&, uint64_t /*seed*/)
      : ways_(ways), marked_(sets * ways, 0) {}

  void hit(uint64_t set, uint64_t way) {
    uint8_t* marks = marked_.data() + set * ways_;
    marks[way] = 1;
    if (std::find(marks, marks + ways_, 0) == marks + ways_) {
      std::fill_n(marks, ways_, uint8_t{0});
      marks[way] = 1;
    }
  }

  void filled(uint64_t set, uint64_t way) { hit(set, way); }
  void removed(uint64_t set, uint64_t way) { marked_[set * ways_ + way] = 0; }

  uint64_t victim(uint64_t set) const {
    const uint8_t* marks = marked_.data() + set * ways_;
    // A set of one way: its way is marked and is the victim all the same.
    return static_cast<uint64_t>(std::find(marks, marks + ways_ - 1, 0) - marks);
  }

 private:
  uint64_t ways_;
  std::vector<uint8_t> marked_;
};

}  // namespace presort::sim
