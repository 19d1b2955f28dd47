#include "presort/sim/cache/memory_system.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <utility>

#include "presort/core/base/random.h"
#include "presort/sim/pipeline/blame.h"

namespace presort::inline v0::sim {

namespace {

// The random seed of a cache; the first cache of a level has the seed it would have with one core.
uint64_t seed_of(uint64_t seed, size_t level, size_t instance) {
  return instance == 0 ? seed + level : random_u64(seed + level, instance);
}

// Outstanding demand misses at which a level's prefetchers yield (yieldsAt); all prefetchers of a
// level that yield have the same number.
int yields_at(const Machine& machine, const CacheLevel& level) {
  int result = 0;
  for (const Prefetcher& prefetcher : machine.prefetchers) {
    if (prefetcher.level == level.name) {
      result = std::max(result, prefetcher.yields_at);
    }
  }
  return result;
}

std::unique_ptr<PagesMet> pages_for(const Machine& machine) {
  const bool wanted = std::ranges::any_of(machine.prefetchers,
                                          [](const Prefetcher& p) { return p.crosses_after > 0; });
  return wanted ? std::make_unique<PagesMet>() : nullptr;
}

// Most lines in the caches of one holder that a table of copies is made for: its counts take up to
// eight bytes a line and eight holders. A last level that only some cores share holds more.
constexpr uint64_t kMostCountedLines = uint64_t{1} << 18;

std::atomic<bool> full_snoop_forced = false;

std::vector<int> in_order(int cores) {
  std::vector<int> numbers(static_cast<size_t>(cores));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// Numbers the caches of a level in the order in which cores of the given numbers use them; returns
// each core's.
std::vector<size_t> instances_of(const std::vector<int>& numbers, int shared_by) {
  std::vector<size_t> result;
  for (size_t core = 0; core < numbers.size(); ++core) {
    const bool next = core > 0 && numbers[core] / shared_by != numbers[core - 1] / shared_by;
    result.push_back(core == 0 ? 0 : result.back() + (next ? 1 : 0));
  }
  return result;
}

}  // namespace

MemorySystem::MemorySystem(const Machine& machine, int cores, uint64_t seed, Processes processes,
                           std::vector<int> numbers)
    : unit_bytes_(presort::unit_bytes(machine.caches.front())),
      pages_met_(pages_for(machine)),
      has_peers_(cores > 1 && processes == Processes::one),
      counts_(static_cast<size_t>(cores), std::vector<LevelCounts>(machine.caches.size())),
      peers_(static_cast<size_t>(cores)),
      memory_(machine, unit_bytes_, numbers.empty() ? in_order(cores) : numbers) {
  if (numbers.empty()) {
    numbers = in_order(cores);
  }
  for (const CacheLevel& level : machine.caches) {
    const size_t i = caches_.size();
    instances_.push_back(instances_of(numbers, level.shared_by));
    caches_.emplace_back();
    for (size_t k = 0; k <= instance(i, cores - 1); ++k) {
      const auto term = static_cast<uint8_t>(kFirstLevel + i);
      caches_[i].push_back(
          std::make_unique<Cache>(level, term, seed_of(seed, i, k), yields_at(machine, level)));
      for (const Prefetcher& prefetcher : machine.prefetchers) {
        if (prefetcher.level == level.name) {
          const PageOrder* const order = pages_met_.get();
          caches_[i][k]->prefetchers.push_back(
              make_prefetcher(prefetcher, unit_bytes_, order != nullptr ? *order : kPagesInOrder));
        }
      }
    }
    for (std::vector<LevelCounts>& counts : counts_) {
      counts[i].name = level.name;
    }
    if (level.inclusion == Inclusion::inclusive) {
      find_included(i);
    }
  }
  for (int core = 0; core < cores && has_peers_; ++core) {
    find_peers(core);
  }
  if (has_peers_ && !full_snoop_forced.load(std::memory_order_relaxed)) {
    count_copies();
  }
}

// Lists the caches above an inclusive cache. A line that it takes away from one of them is counted
// for the first core that uses the upper cache.
void MemorySystem::find_included(size_t level) {
  for (int core = 0; core < cores(); ++core) {
    std::vector<Cache::Above>& above = cache(level, core).above;
    for (size_t i = level; i-- > 0;) {
      Cache* const candidate = &cache(i, core);
      const bool known = std::any_of(above.begin(), above.end(), [candidate](const auto& entry) {
        return entry.cache == candidate;
      });
      if (!known) {
        above.push_back({candidate, &counts(core)[i]});
      }
    }
  }
}

void MemorySystem::find_peers(int core) {
  std::vector<Cache*> known;
  for (size_t i = 0; i < levels(); ++i) {
    known.push_back(&cache(i, core));
  }
  peers_[static_cast<size_t>(core)].resize(levels() + 1);
  for (size_t level = 0; level <= levels(); ++level) {
    for (int other = 0; other < cores(); ++other) {
      for (size_t i = 0; meet(level, core, other) && i < level; ++i) {
        Cache* const candidate = &cache(i, other);
        if (std::find(known.begin(), known.end(), candidate) == known.end()) {
          known.push_back(candidate);
          peers_[static_cast<size_t>(core)][level].push_back(
              {candidate, &counts(other)[i], memory_.extra(core, other)});
        }
      }
    }
  }
}

// Lets the caches that are peers of some core count their lines in one table. A cache's holder is
// the first core that uses it.
void MemorySystem::count_copies() {
  std::map<Cache*, size_t> holders;
  for (int core = cores(); core-- > 0;) {
    for (size_t level = 0; level < levels(); ++level) {
      holders[&cache(level, core)] = static_cast<size_t>(core);
    }
  }
  std::map<Cache*, size_t> counted;
  for (const auto& of_core : peers_) {
    for (const std::vector<Peer>& peers : of_core) {
      for (const Peer& peer : peers) {
        counted.emplace(peer.cache, holders.at(peer.cache));
      }
    }
  }
  std::vector<uint64_t> lines(counts_.size());
  for (const auto& [cache, holder] : counted) {
    lines[holder] += cache->tags.sets() * cache->tags.ways() * cache->tags.sectors();
  }
  const uint64_t most = *std::max_element(lines.begin(), lines.end());
  if (most == 0 || most > kMostCountedLines) {
    return;
  }
  copies_ = std::make_unique<Copies>(counts_.size(), most);
  for (const auto& [cache, holder] : counted) {
    cache->copies = copies_.get();
    cache->holder = holder;
  }
}

ForcedFullSnoop::ForcedFullSnoop() {
  full_snoop_forced.store(true, std::memory_order_relaxed);
}

ForcedFullSnoop::~ForcedFullSnoop() {
  full_snoop_forced.store(false, std::memory_order_relaxed);
}

}  // namespace presort::sim
