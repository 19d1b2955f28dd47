#include "presort/sim/tlb/translation.h"

#include <algorithm>
#include <bit>

#include "presort/core/machine/node_layout.h"

namespace presort::inline v0::sim {

namespace {

size_t entry_level(const Machine& machine) {
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    if (machine.caches[i].name == machine.walk.enters_at) {
      return i;
    }
  }
  return 0;
}

// Counts the reads of a walk in the caches.
struct CountedReads {
  static constexpr bool kTimed = false;
  void begin_walk() const { caches.set_instruction(0, 0); }
  double read(uint64_t line, double t) const {
    caches.warm(level, line, false);
    return t;
  }
  void before_new_page() const {}
  CacheStack& caches;
  size_t level;
};

namespace counted {
#include "presort/sim/tlb/walk_steps.inc"
}  // namespace counted

}  // namespace

Translation::Translation(const Machine& machine, const AddressSpace& space, CacheStack& caches,
                         uint64_t seed, uint64_t process)
    : space_(space),
      caches_(caches),
      tlb_(machine, caches.pages_met(), seed, process),
      entry_level_(entry_level(machine)),
      walks_(timed_walks(tlb_)) {
  if (node_count(machine) > 1) {
    tlb_.guest.use_nodes_of(space);
  }
}

Translation::RecentPage& Translation::meet(PageKind& kind, uint64_t address) {
  RecentPage& page = recent_page(address);
  const uint64_t number = address >> kind.entry_shift;
  if (page.number == number && page.kind == &kind) {
    return page;
  }
  page.number = number;
  page.shift = kind.entry_shift;
  page.frame = tlb_.guest.data_address(number << kind.entry_shift, kind.entry_shift);
  page.kind = &kind;
  page.set = nullptr;
  page.ways = 0;
  if (kind.first == nullptr) {
    page.entry = tlb_.levels.empty() ? kNoEntry : kNoEntry + 1;
    page.latest = &kNoEntry;
  } else if (kind.first->ordered() != nullptr) {
    const uint64_t wanted = kind.tag(address);
    page.entry = CacheArray::tag_of(wanted);
    page.latest = &kind.first->latest_of_set(wanted);
    if (kind.first->ways() <= kFewWays) {
      page.set = &kind.first->latest_of_set(wanted);
      page.ways = kind.first->ways();
    }
  } else {
    page.entry = kNoEntry + 1;
    page.latest = &kNoEntry;
  }
  return page;
}

Translation::Reply Translation::translate_other(uint64_t address, double t, bool load) {
  PageKind& kind = kind_of(address);
  Reply reply{meet(kind, address).physical(address), t + kind.first_latency};
  ++kind.translations[load];
  const uint64_t walks = tlb_.walks;
  reply.ready = walks_(tlb_, caches_, entry_level_, kind, address, reply.ready, load);
  reply.walked = tlb_.walks != walks;
  return reply;
}

const Translation::RecentPage& Translation::warm_other(uint64_t address) {
  PageKind& kind = kind_of(address);
  const RecentPage& page = meet(kind, address);
  ++kind.translations[true];
  const CountedReads reads{caches_, entry_level_};
  counted::WalkSteps<counted::AnyArrays, const CountedReads>(tlb_, caches_.line_shift(), reads)
      .translate(kind, address, 0, true);
  return page;
}

std::vector<TlbCounts> Translation::counts() const {
  std::vector<TlbCounts> result;
  for (const TlbState::Level& level : tlb_.levels) {
    result.push_back(level.counts);
  }
  for (const PageKind& kind : tlb_.kinds) {
    if (!kind.levels.empty()) {
      TlbCounts& first = result[kind.levels.front()];
      first.accesses += kind.translations[0] + kind.translations[1];
      first.load_accesses += kind.translations[1];
    }
  }
  for (TlbCounts& counts : result) {
    counts.hits = counts.accesses - counts.misses;
  }
  return result;
}

void Translation::reset_counts() {
  for (TlbState::Level& level : tlb_.levels) {
    TlbCounts fresh;
    fresh.name = level.counts.name;
    level.counts = fresh;
  }
  for (PageKind& kind : tlb_.kinds) {
    std::fill(std::begin(kind.translations), std::end(kind.translations), 0);
  }
  tlb_.walks = 0;
}

}  // namespace presort::sim
