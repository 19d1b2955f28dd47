#include "presort/sim/counting/passes.h"

#include <algorithm>

#include "presort/sim/cache/prefetchers/ip_stride.h"
#include "presort/sim/cache/recency/ordered_set.h"

namespace presort::inline v0::sim {

namespace {

using PassStack = CountingPasses::Stack;

struct Chosen {
  CountingPasses::First first;
  CountingPasses::Second second;
};

namespace plain {
using Set = PlainSet;
#include "presort/sim/tlb/ordered_arrays.inc"
#include "presort/sim/tlb/walk_steps.inc"
// first_pass.inc needs the two above.
#include "presort/sim/counting/first_pass.inc"
#include "presort/sim/counting/second_pass.inc"
// choose_passes.inc comes last, as it needs the two above.
#include "presort/sim/counting/choose_passes.inc"
}  // namespace plain

#if defined(PRESORT_SIM_HAS_SIMD)

PRESORT_TARGET_BEGIN("avx2")
namespace avx2 {
using Set = Avx2Set;
#include "presort/sim/tlb/ordered_arrays.inc"
#include "presort/sim/tlb/walk_steps.inc"
// first_pass.inc needs the two above.
#include "presort/sim/counting/first_pass.inc"
#include "presort/sim/counting/second_pass.inc"
// choose_passes.inc comes last, as it needs the two above.
#include "presort/sim/counting/choose_passes.inc"
}  // namespace avx2
PRESORT_TARGET_END

PRESORT_TARGET_BEGIN("avx512f,avx2")
namespace avx512 {
using Set = Avx512Set;
#include "presort/sim/tlb/ordered_arrays.inc"
#include "presort/sim/tlb/walk_steps.inc"
// first_pass.inc needs the two above.
#include "presort/sim/counting/first_pass.inc"
#include "presort/sim/counting/second_pass.inc"
// choose_passes.inc comes last, as it needs the two above.
#include "presort/sim/counting/choose_passes.inc"
}  // namespace avx512
PRESORT_TARGET_END

#endif

Chosen choose(CacheStack& caches, Simd simd) {
  const Below last = caches.below_second();
#if defined(PRESORT_SIM_HAS_SIMD)
  if (simd != Simd::plain) {
    return simd == Simd::avx2 ? avx2::choose(caches, last) : avx512::choose(caches, last);
  }
#endif
  static_cast<void>(simd);
  return plain::choose(caches, last);
}

bool tells_instructions_apart(const Cache& cache) {
  return std::ranges::any_of(cache.prefetchers, [](const auto& prefetcher) {
    return dynamic_cast<const IpStridePrefetcher*>(prefetcher.get()) != nullptr;
  });
}

// True if a cache level keeps lines that are written back to it and sends nothing on.
bool is_written_back_to(const Cache& cache) {
  return !cache.through && (cache.takes_write_miss || cache.victims_only);
}

bool is_plain(const Cache& cache) {
  return cache.tags.sectors() == 1 && !cache.inclusive && !tells_instructions_apart(cache);
}

}  // namespace

bool CountingPasses::fit(CacheStack& caches, const Translation& translation) {
  if (!caches.alone() || caches.levels() < 2 || caches.levels() > 3 ||
      translation.walk_entry_level() > 1) {
    return false;
  }
  Cache& first = caches.cache(0);
  const Cache& second = caches.cache(1);
  const bool upper = is_plain(first) && first.tags.ordered() != nullptr && first.takes_write_miss &&
                     is_plain(second) && is_written_back_to(second) && !second.victims_only;
  if (caches.levels() == 2) {
    return upper;
  }
  const Cache& third = caches.cache(2);
  return upper && is_plain(third) && is_written_back_to(third) && third.prefetchers.empty();
}

CountingPasses::CountingPasses(CacheStack& caches, Translation& translation, Simd simd)
    : stack_{&caches,
             &translation,
             translation.state().in_order(),
             caches.cache(0).only_prefetcher<NextLinePrefetcher>(),
             caches.cache(1).only_prefetcher<StreamPrefetcher>(),
             {}} {
  const Chosen chosen = choose(caches, simd);
  first_ = chosen.first;
  second_ = chosen.second;
}

}  // namespace presort::sim
