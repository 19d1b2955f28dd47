// Tree pseudo-LRU: a binary tree over the ways of a set, one bit per node, which points to the half
// used longer ago. A use turns the nodes above its way away from it; the victim is where they lead.
// Where the ways are no power of two, the tree is that of the next one, and a node whose second
// half holds no way always leads to its first.
// Source: Al-Zoubi, Milenkovic, Milenkovic, "Performance evaluation of cache replacement policies
//         for the SPEC CPU2000 benchmark suite", ACM Southeast 2004, section 2 (PLRUt).
#pragma once

#include <bit>
#include <vector>

#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/policy.h"

namespace presort::inline v0::sim {

class TreePlru : public PolicyDefaults {
 public:
  TreePlru(uint64_t sets, uint64_t ways, const Replacement&, uint64_t /*seed*/)
      : ways_(ways), leaves_(std::bit_ceil(ways)), nodes_(sets * leaves_, 0) {}

  void hit(uint64_t set, uint64_t way) {
    uint8_t* node = nodes_.data() + set * leaves_;
    for (uint64_t at = way + leaves_; at > 1; at /= 2) {
      node[at / 2] = at % 2 == 0;
    }
  }

  void filled(uint64_t set, uint64_t way) { hit(set, way); }

  // Removing a line changes no bits of the tree: they are shared with other ways
  void removed(uint64_t /*set*/, uint64_t /*way*/) {}

  uint64_t victim(uint64_t set) const {
    const uint8_t* node = nodes_.data() + set * leaves_;
    uint64_t at = 1;
    uint64_t half = leaves_ / 2;  // tree leaves (ways) under each child of the current node
    uint64_t first = 0;           // first tree leaf (way) under the current node
    for (; half > 0; half /= 2) {
      const uint64_t second = node[at] != 0 && first + half < ways_ ? 1 : 0;
      at = 2 * at + second;
      first += second * half;
    }
    return first;
  }

 private:
  uint64_t ways_;
  uint64_t leaves_;
  // Tree nodes of all sets: leaves_ entries a set, of which [1, leaves_) are nodes; children of
  // node i: 2i and 2i + 1
  std::vector<uint8_t> nodes_;
};

}  // namespace presort::sim
