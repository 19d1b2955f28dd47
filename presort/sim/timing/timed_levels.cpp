#include "presort/sim/timing/timed_levels.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "presort/sim/cache/cache_stack.h"
#include "presort/sim/cache/prefetchers/next_line.h"
#include "presort/sim/cache/prefetchers/stream_prefetcher.h"
#include "presort/sim/cache/recency/ordered_set.h"
#include "presort/sim/cache/recency/target_region.h"

namespace presort::inline v0::sim {

namespace {

std::atomic<bool> general_path_forced{false};

namespace plain {
using Set = PlainSet;
#include "presort/sim/timing/timed_levels.inc"
}  // namespace plain

#if defined(PRESORT_SIM_HAS_SIMD)

PRESORT_TARGET_BEGIN("avx2")
namespace avx2 {
using Set = Avx2Set;
#include "presort/sim/timing/timed_levels.inc"
}  // namespace avx2
PRESORT_TARGET_END

PRESORT_TARGET_BEGIN("avx512f,avx2")
namespace avx512 {
using Set = Avx512Set;
#include "presort/sim/timing/timed_levels.inc"
}  // namespace avx512
PRESORT_TARGET_END

#endif

// True if a cache level has whole lines, writes back, and keeps lines that are written back to it.
bool is_common(const Cache& cache) {
  return cache.tags.sectors() == 1 && !cache.inclusive && !cache.through &&
         (cache.takes_write_miss || cache.victims_only);
}

bool fit_levels(CacheStack& caches) {
  if (!caches.alone() || caches.levels() < 2 || caches.levels() > 3) {
    return false;
  }
  for (size_t i = 0; i < caches.levels(); ++i) {
    if (!is_common(caches.cache(i)) || (i < 2 && caches.cache(i).victims_only)) {
      return false;
    }
  }
  return caches.cache(0).tags.ordered() != nullptr &&
         (caches.levels() == 2 || caches.cache(2).prefetchers.empty());
}

}  // namespace

std::unique_ptr<TimedLevels> make_timed_levels(CacheStack& caches, Simd simd) {
  if (is_general_path_forced() || !fit_levels(caches)) {
    return nullptr;
  }
  const Below below = caches.below_second();
#if defined(PRESORT_SIM_HAS_SIMD)
  if (simd != Simd::plain) {
    return simd == Simd::avx2 ? avx2::make(caches, below) : avx512::make(caches, below);
  }
#endif
  static_cast<void>(simd);
  return plain::make(caches, below);
}

bool is_general_path_forced() {
  return general_path_forced.load(std::memory_order_relaxed);
}

ForcedGeneralPath::ForcedGeneralPath() {
  general_path_forced.store(true, std::memory_order_relaxed);
}

ForcedGeneralPath::~ForcedGeneralPath() {
  general_path_forced.store(false, std::memory_order_relaxed);
}

}  // namespace presort::sim
