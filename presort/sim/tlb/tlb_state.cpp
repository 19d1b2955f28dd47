#include "presort/sim/tlb/tlb_state.h"

#include <algorithm>
#include <bit>

namespace presort::inline v0::sim {

namespace {

TlbState::WalkCaches make_walk_caches(const PageWalk& walk) {
  TlbState::WalkCaches caches;
  const uint64_t entries[] = {walk.pde_entries, walk.pdpte_entries, walk.pml4e_entries};
  for (int i = 0; i < 3; ++i) {
    if (entries[i] > 0) {
      caches.arrays.emplace_back(1, entries[i], walk.cache_policy, false);
      caches.levels.push_back(i + 2);
    }
  }
  return caches;
}

}  // namespace

TlbState::TlbState(const Machine& machine, PagesMet* pages, uint64_t seed, uint64_t process)
    : guest(machine.frames, 0, seed, process, colour_bytes(machine)),
      host(machine.frames, 1, seed, process, colour_bytes(machine)),
      guest_caches(make_walk_caches(machine.walk)),
      host_caches(make_walk_caches(machine.walk)),
      walkers(std::max(1, machine.walk.walkers)),
      outstanding(std::max(1, machine.walk.outstanding)),
      limited(machine.walk.outstanding > 0),
      overhead(machine.walk.overhead_cycles),
      host_page_bytes(machine.walk.nested_host_page_bytes.value_or(0)),
      pages_met(pages) {
  for (const TlbLevel& level : machine.tlb) {
    uint64_t sizes = 0;
    for (const uint64_t bytes : level.page_bytes) {
      sizes |= bytes;
    }
    levels.push_back(
        Level{CacheArray(level.entries / level.ways, level.ways, level.policy, false, seed), sizes,
              level.latency_cycles, TlbCounts{}});
    levels.back().counts.name = level.name;
  }
  for (const uint64_t bytes : {uint64_t{1} << 12, uint64_t{1} << 21, uint64_t{1} << 30}) {
    const int leaf = PageTable::leaf_level(bytes);
    kinds[leaf] = make_page_kind(bytes);
    held[leaf] = machine.walk.interval_of(bytes) * std::max(1, machine.walk.walkers);
  }
}

TlbState::PageKind TlbState::make_page_kind(uint64_t guest_page) {
  PageKind kind;
  kind.entry_bytes = entry_page_bytes(guest_page);
  kind.entry_shift = std::countr_zero(kind.entry_bytes);
  kind.tag_bits = static_cast<uint64_t>(PageTable::leaf_level(kind.entry_bytes)) << 56;
  kind.leaf_level = PageTable::leaf_level(guest_page);
  for (size_t i = 0; i < levels.size(); ++i) {
    if ((levels[i].page_sizes & kind.entry_bytes) != 0) {
      kind.levels.push_back(i);
    }
  }
  if (!kind.levels.empty()) {
    Level& first = levels[kind.levels.front()];
    kind.first = &first.tags;
    kind.first_latency = first.latency;
  }
  return kind;
}

uint64_t TlbState::entry_page_bytes(uint64_t guest_page) const {
  uint64_t bytes = guest_page;
  if (host_page_bytes != 0) {
    bytes = std::min(bytes, host_page_bytes);
  }
  const bool held_by_one = std::any_of(levels.begin(), levels.end(), [bytes](const Level& level) {
    return (level.page_sizes & bytes) != 0;
  });
  return held_by_one ? bytes : std::min<uint64_t>(bytes, 4096);
}

bool TlbState::in_order() {
  const auto ordered = [](CacheArray& array) { return array.ordered() != nullptr; };
  return std::all_of(levels.begin(), levels.end(),
                     [&](Level& level) { return ordered(level.tags); }) &&
         std::all_of(guest_caches.arrays.begin(), guest_caches.arrays.end(), ordered) &&
         std::all_of(host_caches.arrays.begin(), host_caches.arrays.end(), ordered);
}

}  // namespace presort::sim
