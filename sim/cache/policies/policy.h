// What a replacement policy is to the array of tags that asks it. A policy sees sets and ways and
// what happens to them, never lines, tags or the cache. The array takes it as a template parameter.
//
//   Policy(uint64_t sets, uint64_t ways, const Replacement&, uint64_t seed)
//   kWays                        which way a line stands in, see below
// and, unless the order of the lines says it all (Ways::byUse, Ways::byArrival):
//   uint64_t victim(set)         the way that a full set gives up
// and, with Ways::fixed:
//   void hit(set, way)           the line in `way` was used
//   void missed(set)             a line was looked up in vain and is about to come in
//   void filled(set, way)        a line came in, where none was or where victim() pointed
//   void removed(set, way)       the line was taken out: the way is as it was in the beginning
//   bool fills_last_way_first()  of several empty ways; else the first
// A line enters an empty way as long as there is one.
#pragma once

#include <cstdint>

namespace presort::sim {

enum class Ways {
  byUse,      // lines stand in the order of their last use, the latest first; the last is given up
  byArrival,  // in the order in which they came, the latest first; the last is given up
  anyOrder,   // a removal closes the gap
  fixed,      // a line stays in its way: the policy keeps a state of each
};

// Defaults of policies with Ways::fixed.
struct FixedWays {
  static constexpr Ways kWays = Ways::fixed;
  static constexpr bool fills_last_way_first() { return false; }
  void missed(uint64_t /*set*/) {}
};

}  // namespace presort::sim
