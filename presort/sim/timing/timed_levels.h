// Timed accesses to cache levels of the common shapes: what CacheStack does step by step for any
// shape, compiled for each instruction set and for what lies below the first level. Tags, miss
// registers, prefetchers, ports and counts are the stack's own, so both may be used in turn; times
// and counts are the same to the last bit.
#pragma once

#include <cstdint>
#include <memory>

#include "presort/sim/cache/access_reply.h"
#include "presort/sim/cache/recency/simd.h"
#include "presort/sim/pipeline/blame.h"

namespace presort::inline v0::sim {

class CacheStack;

class TimedLevels {
 public:
  virtual ~TimedLevels() = default;

  // Serves an access at the first cache level, as CacheStack::access does. Lines are physical
  // addresses >> line_shift(), times in cycles.
  virtual AccessReply enter_first(uint64_t line, double t, bool write, Course& course) = 0;
  virtual AccessReply enter_second(uint64_t line, double t, Course& course) = 0;

  // Lets the host fetch the simulator's sets below the first level that `line` belongs to.
  virtual void expect(uint64_t line) const = 0;
  // Lets the host fetch the third level's set for the line which `line` will most likely push out
  // of the second level.
  virtual void expect_victim(uint64_t line) const = 0;
};

// Null where the caches have another shape than: two or three levels; a first level with LRU; levels
// that write back, bring in on a write, or are filled by victims (the third); no sectors, inclusion,
// coherence, or prefetchers of the third level.
// Requires: the stack outlives what is returned; runs_simd(simd)
std::unique_ptr<TimedLevels> make_timed_levels(CacheStack& caches, Simd simd = simd_in_use());

// For tests: cache stacks made while this object lives use the general code for all shapes, on all
// threads.
// Requires: at most one such object lives at a time
class ForcedGeneralPath {
 public:
  ForcedGeneralPath();
  ~ForcedGeneralPath();
  ForcedGeneralPath(const ForcedGeneralPath&) = delete;
  ForcedGeneralPath& operator=(const ForcedGeneralPath&) = delete;
};
bool is_general_path_forced();

}  // namespace presort::sim
