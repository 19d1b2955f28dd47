#include "presort/sim/tlb/translation.h"

#include <algorithm>
#include <bit>

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

}  // namespace

Translation::Translation(const Machine& machine, const AddressSpace& space, CacheStack& caches,
                         uint64_t seed, uint64_t process)
    : space_(space),
      caches_(caches),
      guest_(machine.frames, 0, seed, process, colour_bytes(machine)),
      host_(machine.frames, 1, seed, process, colour_bytes(machine)),
      guest_caches_(make_walk_caches(machine.walk)),
      host_caches_(make_walk_caches(machine.walk)),
      walkers_(std::max(1, machine.walk.walkers)),
      outstanding_(std::max(1, machine.walk.outstanding)),
      limited_(machine.walk.outstanding > 0),
      overhead_(machine.walk.overhead_cycles),
      entry_level_(entry_level(machine)),
      host_page_bytes_(machine.walk.nested_host_page_bytes.value_or(0)),
      pages_met_(caches.pages_met()) {
  for (const TlbLevel& level : machine.tlb) {
    uint64_t sizes = 0;
    for (const uint64_t bytes : level.page_bytes) {
      sizes |= bytes;
    }
    levels_.push_back(
        Level{CacheArray(level.entries / level.ways, level.ways, level.policy, false, seed), sizes,
              level.latency_cycles, TlbCounts{}});
    levels_.back().counts.name = level.name;
  }
  for (const uint64_t bytes : {uint64_t{1} << 12, uint64_t{1} << 21, uint64_t{1} << 30}) {
    const int leaf = PageTable::leaf_level(bytes);
    kinds_[leaf] = make_page_kind(bytes);
    held_[leaf] = machine.walk.interval_of(bytes) * std::max(1, machine.walk.walkers);
  }
}

Translation::PageKind Translation::make_page_kind(uint64_t guest_page) {
  PageKind kind;
  kind.entry_bytes = entry_page_bytes(guest_page);
  kind.entry_shift = std::countr_zero(kind.entry_bytes);
  kind.tag_bits = static_cast<uint64_t>(PageTable::leaf_level(kind.entry_bytes)) << 56;
  kind.leaf_level = PageTable::leaf_level(guest_page);
  for (size_t i = 0; i < levels_.size(); ++i) {
    if ((levels_[i].page_sizes & kind.entry_bytes) != 0) {
      kind.levels.push_back(i);
    }
  }
  if (!kind.levels.empty()) {
    Level& first = levels_[kind.levels.front()];
    kind.first = &first.tags;
    kind.first_latency = first.latency;
  }
  return kind;
}

Translation::WalkCaches Translation::make_walk_caches(const PageWalk& walk) {
  WalkCaches caches;
  const uint64_t entries[] = {walk.pde_entries, walk.pdpte_entries, walk.pml4e_entries};
  for (int i = 0; i < 3; ++i) {
    if (entries[i] > 0) {
      caches.arrays.emplace_back(1, entries[i], walk.cache_policy, false);
      caches.levels.push_back(i + 2);
    }
  }
  return caches;
}

int Translation::first_level_to_read(WalkCaches& caches, uint64_t address, int leaf) {
  for (size_t i = 0; i < caches.levels.size(); ++i) {
    const int level = caches.levels[i];
    if (level > leaf &&
        caches.arrays[i].access(PageTable::entry_number(level, address), false).hit) {
      return level - 1;
    }
  }
  return PageTable::kLevels;
}

void Translation::remember(WalkCaches& caches, int level, uint64_t address) {
  for (size_t i = 0; i < caches.levels.size(); ++i) {
    if (caches.levels[i] == level) {
      caches.arrays[i].insert_line(PageTable::entry_number(level, address), CacheArray::kNone);
    }
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
  page.frame = guest_.data_address(number << kind.entry_shift, kind.entry_shift);
  page.kind = &kind;
  page.set = nullptr;
  page.ways = 0;
  if (kind.first == nullptr) {
    page.entry = levels_.empty() ? kNoEntry : kNoEntry + 1;
    page.latest = &kNoEntry;
  } else if (kind.first->ordered() != nullptr) {
    const uint64_t wanted = tag(kind, address);
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
  if (!first_level_hit(kind, address)) {
    const uint64_t walks = walks_;
    TimedReads reads{caches_, entry_level_};
    reply.ready = beyond_first_level(kind, address, reply.ready, load, reads);
    reply.walked = walks_ != walks;
  }
  return reply;
}

template <class Reads>
const Translation::RecentPage& Translation::warm_other(uint64_t address, Reads& reads) {
  PageKind& kind = kind_of(address);
  const RecentPage& page = meet(kind, address);
  ++kind.translations[true];
  if (!first_level_hit(kind, address)) {
    beyond_first_level(kind, address, 0, true, reads);
  }
  return page;
}

uint64_t Translation::entry_page_bytes(uint64_t guest_page) const {
  uint64_t bytes = guest_page;
  if (host_page_bytes_ != 0) {
    bytes = std::min(bytes, host_page_bytes_);
  }
  const bool held = std::any_of(levels_.begin(), levels_.end(), [bytes](const Level& level) {
    return (level.page_sizes & bytes) != 0;
  });
  return held ? bytes : std::min<uint64_t>(bytes, 4096);
}

template <class Reads>
double Translation::beyond_first_level(const PageKind& kind, uint64_t address, double t, bool load,
                                       Reads& reads) {
  const uint64_t wanted = tag(kind, address);
  double ready = t;
  size_t missed = 0;
  for (; missed < kind.levels.size(); ++missed) {
    Level& level = levels_[kind.levels[missed]];
    if (missed > 0) {
      ready += level.latency;
      ++level.counts.accesses;
      level.counts.load_accesses += load;
      if (level.tags.access(wanted, false).hit) {
        break;
      }
    }
    ++level.counts.misses;
    level.counts.load_misses += load;
  }
  if (missed == kind.levels.size()) {
    note_page(kind, address, reads);
    ready = walk(address, kind.leaf_level, ready, reads);
  }
  for (size_t k = 0; k < missed; ++k) {
    levels_[kind.levels[k]].tags.insert_line(wanted, CacheArray::kNone);
  }
  return ready;
}

template <class Reads>
void Translation::note_page(const PageKind& kind, uint64_t address, Reads& reads) {
  const uint64_t number = address >> kind.entry_shift;
  if (pages_met_ == nullptr || pages_met_->knows(number, kind.entry_shift, guest_)) {
    return;
  }
  reads.before_new_page();
  pages_met_->note(number, kind.entry_shift, guest_);
}

template <class Reads>
double Translation::walk(uint64_t address, int leaf_level, double t, Reads& reads) {
  ++walks_;
  caches_.set_instruction(0, 0);
  double begun = t;
  if constexpr (Reads::kTimed) {
    begun = walkers_.take(limited_ ? outstanding_.take(t) : t);
  }
  double ready = begun + overhead_;
  const bool nested = host_page_bytes_ != 0;
  ready = walk_table(guest_, guest_caches_, address, leaf_level, nested, ready, reads);
  if (nested) {
    ready = host_walk(address, ready, reads);
  }
  if constexpr (Reads::kTimed) {
    walkers_.hold(std::max(ready, begun + held_[leaf_level]));
  }
  return ready;
}

template <class Reads>
double Translation::walk_table(const PageTable& table, WalkCaches& caches, uint64_t address,
                               int leaf, bool nested, double t, Reads& reads) {
  const int first = first_level_to_read(caches, address, leaf);
  for (int level = first; level >= leaf; --level) {
    const uint64_t entry = table.entry_address(level, address);
    if (nested && level != first) {
      // The host address of the first table read is known, from a walk cache or the root
      t = host_walk(entry, t, reads);
    }
    t = reads.read(entry >> caches_.line_shift(), t);
    if (level > leaf) {
      remember(caches, level, address);
    }
  }
  return t;
}

template <class Reads>
double Translation::host_walk(uint64_t guest_physical, double t, Reads& reads) {
  return walk_table(host_, host_caches_, guest_physical, PageTable::leaf_level(host_page_bytes_),
                    false, t, reads);
}

template const Translation::RecentPage& Translation::warm_other(uint64_t, CountedReads&);

Translation::Page Translation::warm_page(uint64_t address, WalkReads& reads) {
  if (levels_.empty() && guest_.is_identity()) {
    // Without TLBs no translation has an effect, so all memory counts as one page
    uint64_t& translations = kind_of(address).translations[true];
    ++translations;
    constexpr int kShift = PageTable::kSpaceBits;
    return {address >> kShift, kShift, 0, &translations};
  }
  const RecentPage* page = &recent_page(address);
  if (page->used(address)) {
    ++page->kind->translations[true];
  } else {
    HandedReads handed{reads};
    page = &warm_other(address, handed);
  }
  // The page is the most recent of its TLB set now, unless the set does not keep the order.
  const uint64_t number = page->settled(address) ? page->number : Page{}.number;
  return {number, page->shift, page->frame, &page->kind->translations[true]};
}

std::vector<TlbCounts> Translation::counts() const {
  std::vector<TlbCounts> result;
  for (const Level& level : levels_) {
    result.push_back(level.counts);
  }
  for (const PageKind& kind : kinds_) {
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
  for (Level& level : levels_) {
    TlbCounts fresh;
    fresh.name = level.counts.name;
    level.counts = fresh;
  }
  for (PageKind& kind : kinds_) {
    std::fill(std::begin(kind.translations), std::end(kind.translations), 0);
  }
  walks_ = 0;
}

}  // namespace presort::sim
