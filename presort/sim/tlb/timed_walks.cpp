#include "presort/sim/tlb/timed_walks.h"

#include <algorithm>

#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/cache/recency/ordered_set.h"
#include "presort/sim/cache/recency/target_region.h"
#include "presort/sim/timing/timed_levels.h"

namespace presort::inline v0::sim {

namespace {

// Sends the reads of a walk to the caches.
struct TimedReads {
  static constexpr bool kTimed = true;
  void begin_walk() const { caches.set_instruction(0, 0); }
  double read(uint64_t line, double t) const {
    Course unused;
    return caches.access(level, line, t, false, unused).ready;
  }
  void before_new_page() const {}
  CacheStack& caches;
  size_t level;
};

// Namespaces within one of their own: files that are compiled together have others of these names.
namespace walks {

namespace general {
#include "presort/sim/tlb/walk_steps.inc"
double translate(TlbState& tlb, CacheStack& caches, size_t entry_level,
                 const TlbState::PageKind& kind, uint64_t address, double t, bool load) {
  const TimedReads reads{caches, entry_level};
  return WalkSteps<AnyArrays, const TimedReads>(tlb, caches.line_shift(), reads)
      .translate(kind, address, t, load);
}
}  // namespace general

namespace plain {
using Set = PlainSet;
#include "presort/sim/tlb/ordered_walks.inc"
}  // namespace plain

#if defined(PRESORT_SIM_HAS_SIMD)

PRESORT_TARGET_BEGIN("avx2")
namespace avx2 {
using Set = Avx2Set;
#include "presort/sim/tlb/ordered_walks.inc"
}  // namespace avx2
PRESORT_TARGET_END

PRESORT_TARGET_BEGIN("avx512f,avx2")
namespace avx512 {
using Set = Avx512Set;
#include "presort/sim/tlb/ordered_walks.inc"
}  // namespace avx512
PRESORT_TARGET_END

#endif

}  // namespace walks

}  // namespace

TimedWalks timed_walks(TlbState& tlb, Simd simd) {
  if (is_general_path_forced() || !tlb.in_order()) {
    return walks::general::translate;
  }
#if defined(PRESORT_SIM_HAS_SIMD)
  if (simd != Simd::plain) {
    return simd == Simd::avx2 ? walks::avx2::translate : walks::avx512::translate;
  }
#endif
  static_cast<void>(simd);
  return walks::plain::translate;
}

}  // namespace presort::sim
