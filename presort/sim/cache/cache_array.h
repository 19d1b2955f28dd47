// A set-associative array of tags: which lines (or pages) a cache or TLB holds, and which it
// evicts. Knows nothing of levels or time. Addresses are in units: a unit is a sector where lines
// have sectors, otherwise a whole line.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "presort/core/base/random.h"
#include "presort/core/machine/replacement.h"
#include "presort/sim/cache/policies/engine.h"
#include "presort/sim/cache/policies/random.h"
#include "presort/sim/cache/recency/recency_sets.h"
#include "presort/sim/cache/short_tags.h"
#include "presort/sim/cache/tagged_sets.h"

namespace presort::inline v0::sim {

class CacheArray {
 public:
  // sets need not be a power of two; `hashed` spreads lines over the sets by a hash. With several
  // slices, the lowest bits of a line's number choose its slice, and the hash spreads the lines of
  // a slice over the slice's sets.
  // Requires: sets >= 1, ways >= 1; sectors (of a line) a power of two up to kMaxSectors;
  //           slices a power of two that divides sets
  CacheArray(uint64_t sets, uint64_t ways, const Replacement& policy, bool hashed,
             uint64_t seed = 1, uint64_t sectors = 1, uint64_t slices = 1);

  static constexpr uint64_t kMaxSectors = 16;

  enum Flag : uint8_t { kNone = 0, kDirty = 1, kPrefetched = 2 };

  struct Lookup {
    bool hit = false;
    // true: this access is the first use of a unit that a prefetch brought in
    bool first_use = false;
  };

  // An evicted line. Its units (sectors, or the whole line) have the numbers `unit` + i for each
  // bit i set in `held`; the other masks use the same bits.
  struct Victim {
    uint64_t unit = 0;
    uint16_t held = 0;  // bit mask of the units that were evicted; 0: nothing was
    uint16_t dirty_units = 0;
    // Bit mask of the evicted units that a prefetch brought in and nothing used
    uint16_t unused_units = 0;

    bool valid() const { return held != 0; }
    bool dirty() const { return dirty_units != 0; }
  };

  // Looks `unit` up as a demand access. A hit counts as a use for the replacement policy; a write
  // makes the unit dirty.
  Lookup access(uint64_t unit, bool write) {
    if (!ordered_) {
      return access_in_ways(unit, write);
    }
    const uint64_t old =
        ordered_->use(set_index(unit), tag_of(unit), kPrefetched, write ? kDirty : kNone);
    return {old != 0, (old & kPrefetched) != 0};
  }

  // True if the unit is present; does not count as a use.
  bool contains(uint64_t unit) const;
  // True if any sector of the line that `unit` is part of is present
  bool contains_line(uint64_t unit) const {
    const uint64_t line = unit >> sector_shift_;
    const uint64_t set = set_index(line);
    return ordered_ ? ordered_->find(set, tag_of(line)) != nullptr : find_way(set, line) < ways_;
  }

  // Brings `unit` in. Returns the line that was evicted for it; none if other sectors of the unit's
  // line were there already.
  // Requires: not contains(unit)
  Victim insert(uint64_t unit, uint8_t flags) {
    if (!sectors_.empty()) {
      return insert_sector(unit, flags);
    }
    const Whole old = insert_line(unit, flags);
    return {old.line, old.valid(), old.dirty(), old.unused()};
  }

  // An evicted line of an array without sectors.
  struct Whole {
    uint64_t line;
    uint64_t entry;  // the evicted line's tag word with its flags

    bool valid() const { return entry != 0; }
    bool dirty() const { return (entry & kDirty) != 0; }
    bool unused() const { return (entry & kPrefetched) != 0; }
  };
  // Brings in a line without sectors, as insert() does.
  // Requires: sectors() == 1
  Whole insert_line(uint64_t line, uint8_t flags) {
    const uint64_t old = insert_into(set_index(line), line, flags);
    return {line_of(old), old};
  }

  // The steps of access(), insert() and remove() for lines without sectors, for callers that know
  // the set: `set` is set_index(line). Each returns an entry, tag_of(line) | flags; 0: none.
  // Requires: sectors() == 1
  // use_line: as access(); returns the line's entry from before the access.
  uint64_t use_line(uint64_t set, uint64_t line, uint64_t set_bits) {
    if (ordered_) {
      return ordered_->use(set, tag_of(line), kPrefetched, set_bits);
    }
    const size_t way = find_way(set, line);
    if (way == ways_) {
      return 0;
    }
    uint64_t& entry = tagged_.tags(set)[way];
    const uint64_t old = entry;
    entry = (old & ~uint64_t{kPrefetched}) | set_bits;
    note_hit(set, way);
    return old;
  }
  // Brings a line without sectors into `set`, as insert() does; returns the entry that was evicted,
  // 0: none.
  uint64_t insert_into(uint64_t set, uint64_t line, uint64_t flags) {
    if (ordered_) {
      return ordered_->insert(set, tag_of(line) | flags);
    }
    const size_t way = fill(set);
    tagged_.short_tags(set)[way] = short_tag(line);
    uint64_t& entry = tagged_.tags(set)[way];
    const uint64_t old = entry;
    entry = tag_of(line) | flags;
    return old;
  }
  struct Put {
    uint64_t found;    // the line's entry from before; 0: it was absent and has come in
    uint64_t evicted;  // entry that was evicted for the line; 0: none
  };
  // Uses a line without sectors in `set`, as use_line() does, or brings it in.
  Put put_line(uint64_t set, uint64_t line, uint64_t flags) {
    const uint64_t found = use_line(set, line, flags);
    return found != 0 ? Put{found, 0} : Put{0, insert_into(set, line, flags)};
  }
  // Accesses a line without sectors in `set` and then removes it; returns its entry from before the
  // access.
  uint64_t take_line(uint64_t set, uint64_t line) {
    if (ordered_) {
      const uint64_t* const entry = ordered_->find(set, tag_of(line));
      const uint64_t old = entry == nullptr ? 0 : *entry;
      if (entry != nullptr) {
        ordered_->remove(set, entry);
      }
      return old;
    }
    const size_t way = find_way(set, line);
    if (way == ways_) {
      return 0;
    }
    note_hit(set, way);
    const uint64_t old = tagged_.tags(set)[way];
    empty_way(set, way);
    return old;
  }

  // The entry of the most recently used line in the set of `line`.
  // Requires: ordered() != nullptr
  uint64_t& latest_of_set(uint64_t line) { return *ordered_->set(set_index(line)); }

  // Removes `unit` and returns it as a victim, which is not valid if the unit was absent.
  Victim remove(uint64_t unit);

  // Makes `unit` clean; returns whether it was present and dirty.
  bool clean(uint64_t unit);

  // Prefetches, on the host, the memory that a lookup of `unit` and a replacement in its set will
  // read.
  void prefetch_set(uint64_t unit) const { prefetch(set_index(unit >> sector_shift_)); }
  // As prefetch_set, for callers that know the set.
  void prefetch(uint64_t set) const {
    if (ordered_) {
      ordered_->prefetch(set);
      return;
    }
    tagged_.prefetch(set);
  }

  uint64_t sets() const { return sets_; }
  uint64_t ways() const { return ways_; }
  uint64_t sectors() const { return uint64_t{1} << sector_shift_; }

  // The sets in order of use, if this array keeps them so (LRU); otherwise null. An entry is
  // tag_of(line) | flags.
  RecencySets* ordered() { return ordered_ ? &*ordered_ : nullptr; }
  static uint64_t tag_of(uint64_t line) { return (line + 1) << kFlagBits; }
  static uint64_t line_of(uint64_t entry) { return (entry >> kFlagBits) - 1; }
  [[gnu::always_inline]] uint64_t set_index(uint64_t line) const {
    if (masked_) {
      return line & (sets_ - 1);
    }
    if (!hashed_) {
      return line % sets_;
    }
    // The hash is multiplicative: bijective on the low bits, so consecutive lines spread evenly.
    const uint64_t within = bounded((line >> slice_shift_) * 0x9e3779b97f4a7c15ULL, slice_sets_);
    return within << slice_shift_ | (line & ((uint64_t{1} << slice_shift_) - 1));
  }

 private:
  static constexpr int kFlagBits = kEntryFlagBits;
  static constexpr uint64_t kTagMask = ~kEntryFlags;

  struct Sectors {  // bit masks of a line's state, a bit for each sector
    uint16_t held = 0;
    uint16_t dirty = 0;
    uint16_t prefetched = 0;
  };

  // Index of the way in which the next new line of `set` goes.
  size_t fill(uint64_t set) {
    const SetWays ways{tagged_.short_tags(set), ways_, has_gaps_};
    if (engine_) {
      return engine_->fill(set, ways);
    }
    const uint64_t empty = ways.first_empty();
    return empty < ways_ ? empty : random_->victim(set);
  }
  // Tells the policy that a line of `set` was used.
  void note_hit(uint64_t set, size_t way) {
    if (engine_) {
      engine_->hit(set, way);
    }
  }
  void empty_way(uint64_t set, size_t way) {
    tagged_.tags(set)[way] = 0;
    tagged_.short_tags(set)[way] = 0;
    has_gaps_ = true;
    if (engine_) {
      engine_->removed(set, way);
    }
  }
  Lookup access_in_ways(uint64_t unit, bool write);
  Victim remove_ordered(uint64_t line);
  Victim insert_sector(uint64_t unit, uint8_t flags);
  void fill_sector(Sectors& sectors, uint64_t unit, uint8_t flags) const;
  Lookup use_sector(Sectors& sectors, uint64_t unit, bool write) const;

  static Lookup use(uint64_t& entry, bool write) {
    const bool first_use = (entry & kPrefetched) != 0;
    entry = (entry & ~uint64_t{kPrefetched}) | (write ? kDirty : kNone);
    return {true, first_use};
  }
  // Marks the entry of a line as clean; returns whether it was dirty.
  static bool make_clean(uint64_t& entry) {
    const bool dirty = (entry & kDirty) != 0;
    entry &= ~uint64_t{kDirty};
    return dirty;
  }
  static Victim victim_of(uint64_t entry) {
    const Whole line{line_of(entry), entry};
    return {line.line, line.valid(), line.dirty(), line.unused()};
  }
  unsigned sector_bit(uint64_t unit) const {
    return 1U << (unit & ((uint64_t{1} << sector_shift_) - 1));
  }
  // A 16-bit hash of a line's tag: most lines of a set that are not the one looked for differ in
  // it. Never 0, which stands for an empty way.
  static uint16_t short_tag(uint64_t line) {
    return static_cast<uint16_t>((line * 0xd6e8feb86659fd93ULL) >> 48 | 1);
  }

  // The way that holds `line`, or ways_ if none does.
  size_t find_way(uint64_t set, uint64_t line) const {
    const uint16_t* const short_tags = tagged_.short_tags(set);
    const uint64_t* const tags = tagged_.tags(set);
    const size_t count = tagged_.short_count();
    constexpr size_t kBlock = 2 * kShortTagsAtATime;
    if (count == kBlock) {  // most last levels: one step
      return way_of(tags, match_16_short_tags(short_tags, short_tag(line)), line, 0);
    }
    for (size_t first = 0; first < count; first += kBlock) {
      const bool two = first + kShortTagsAtATime < count;
      const size_t way =
          way_of(tags, match_short_tags(short_tags + first, short_tag(line), two), line, first);
      if (way != ways_) {
        return way;
      }
    }
    return ways_;
  }
  // The way that holds `line` among those that `equal` marks, counted from way `first`, or ways_.
  size_t way_of(const uint64_t* tags, uint32_t equal, uint64_t line, size_t first) const {
    for (; equal != 0; equal &= equal - 1) {
      const size_t way = first + static_cast<size_t>(std::countr_zero(equal));
      if ((tags[way] & kTagMask) == tag_of(line)) {
        return way;
      }
    }
    return ways_;
  }
  struct Place {
    uint64_t set;
    size_t way;  // the number of ways: the unit is absent
  };
  Place find(uint64_t unit) const;

  uint64_t sets_;
  uint64_t ways_;
  // True: the number of sets is a power of two and not hashed, so a line's lowest bits are its set
  bool masked_;
  bool hashed_;
  uint8_t slice_shift_;   // number of lowest bits of a line's number that choose its slice
  uint64_t slice_sets_;   // number of sets of a slice
  uint8_t sector_shift_;  // right shift that makes a line number of a unit number
  // true: a line was removed, so that empty ways may stand between full ones
  bool has_gaps_ = false;
  // Sets in order of use, for LRU with up to kMostOrderedWays ways and no sectors; tagged_ is not
  // used then.
  std::optional<RecencySets> ordered_;
  // All ways, unless ordered_ is used. A tag word is tag_of(line) | flags; a line with sectors has
  // its flags in sectors_ instead.
  TaggedSets tagged_;
  std::vector<Sectors> sectors_;  // of way `way` of set `set`: sectors_[set * ways_ + way]
  // The replacement policy of arrays that are not ordered_: random_, which remembers nothing of its
  // ways and is asked without a virtual call, or engine_ for all other policies
  std::optional<Random> random_;
  std::unique_ptr<PolicyEngine> engine_;
};

}  // namespace presort::sim
