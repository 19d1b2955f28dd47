// The interface between a replacement policy and the array of tags. A policy sees sets and ways and
// what happens to them, never lines, tags or the cache. The array takes it as a template parameter.
//
//   Policy(uint64_t sets, uint64_t ways, const Replacement&, uint64_t seed)
//   hit(set, way)            the line in `way` was used
//   missed(set)              a line was looked up in vain and is about to come in
//   victim(set)              the way that a full set gives up
//   filled(set, way)         a line came in, where none was or where victim() pointed
//   removed(set, way)        the line was taken out
//   fills_last_way_first()   of several empty ways; else the first
// A line stays in its way, and enters an empty one as long as there is one.
#pragma once

#include <cstdint>

namespace presort::inline v0::sim {

struct PolicyDefaults {
  static constexpr bool fills_last_way_first() { return false; }
  void missed(uint64_t /*set*/) {}
  void removed(uint64_t /*set*/, uint64_t /*way*/) {}
};

}  // namespace presort::sim
