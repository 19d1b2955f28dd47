#include "presort/sim/cache/cache.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0::sim {

static_assert(kMaxSectors <= CacheArray::kMaxSectors);

namespace {

constexpr double kManySets = 1024;

// Number of sets of a simulated cache level: if the machine file says that only a share of the
// level is available, the same share of its sets. Many sets are rounded to a multiple of 64, so
// that addresses at strides of powers of two up to a page meet in few sets, as they do in the whole
// cache. All slices have the same number of sets.
uint64_t effective_sets(const CacheLevel& level) {
  const double sets = static_cast<double>(set_count(level));
  const auto slices = static_cast<uint64_t>(level.slices);
  const uint64_t rounded = level.share < 1 && sets >= kManySets ? 64 : 1;
  const uint64_t multiple = std::max(rounded, slices);
  const double multiples = std::round(sets * level.share / static_cast<double>(multiple));
  return std::max(slices, static_cast<uint64_t>(multiples) * multiple);
}

}  // namespace

Cache::Cache(const CacheLevel& level, uint8_t blame_term, uint64_t seed, int yields_at)
    : tags(effective_sets(level), level.ways, level.policy, level.hashed, seed,
           level.line_bytes / unit_bytes(level), static_cast<uint64_t>(level.slices)),
      registers(std::max(1, level.queue)),
      demand_misses(yields_at),
      latency(level.latency_cycles),
      term(blame_term),
      victims_only(level.fill == Fill::onEvict),
      through(level.write == WriteMode::through),
      takes_write_miss(level.write_allocate && !victims_only),
      inclusive(level.inclusion == Inclusion::inclusive),
      takes_stores(!through && takes_write_miss) {}

bool Cache::follows(uint64_t line) const {
  return std::ranges::any_of(prefetchers,
                             [line](const auto& prefetcher) { return prefetcher->follows(line); });
}

CacheArray::Victim Cache::insert(uint64_t unit, uint8_t flags) {
  const CacheArray::Victim victim = tags.insert(unit, flags);
  if (copies != nullptr) {
    copies->add(holder, unit);
    for (unsigned k = 0; victim.held >> k != 0; ++k) {
      if ((victim.held >> k & 1) != 0) {
        copies->remove(holder, victim.unit + k);
      }
    }
  }
  return victim;
}

}  // namespace presort::sim
