#include "presort/sim/cache/cache_array.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <type_traits>
#include <utility>

namespace presort::inline v0::sim {

namespace {

bool keeps_in_order(uint64_t ways, const Replacement& policy, uint64_t sectors) {
  return policy.kind == ReplacementKind::lru && sectors == 1 && ways <= kMostOrderedWays;
}

}  // namespace

CacheArray::CacheArray(uint64_t sets, uint64_t ways, const Replacement& policy, bool hashed,
                       uint64_t seed, uint64_t sectors, uint64_t slices)
    : sets_(sets),
      ways_(ways),
      masked_(std::has_single_bit(sets) && !hashed),
      hashed_(hashed),
      slice_shift_(static_cast<uint8_t>(std::countr_zero(slices))),
      slice_sets_(sets / slices),
      sector_shift_(static_cast<uint8_t>(std::countr_zero(sectors))) {
  if (keeps_in_order(ways, policy, sectors)) {
    ordered_.emplace(sets, ways);
    return;
  }
  tagged_ = TaggedSets(sets, ways);
  sectors_.resize(sectors > 1 ? sets * ways : 0);
  if (policy.kind == ReplacementKind::random) {
    random_.emplace(sets, ways, policy, seed);
  } else {
    engine_ = make_policy_engine(sets, ways, policy, seed);
  }
}

CacheArray::Lookup CacheArray::access_in_ways(uint64_t unit, bool write) {
  const uint64_t line = unit >> sector_shift_;
  const uint64_t set = set_index(line);
  const size_t way = find_way(set, line);
  if (way == ways_) {
    return {};
  }
  const Lookup lookup = sectors_.empty() ? use(tagged_.tags(set)[way], write)
                                         : use_sector(sectors_[set * ways_ + way], unit, write);
  if (lookup.hit) {
    note_hit(set, way);
  }
  return lookup;
}

CacheArray::Lookup CacheArray::use_sector(Sectors& sectors, uint64_t unit, bool write) const {
  const unsigned bit = sector_bit(unit);
  if ((sectors.held & bit) == 0) {
    return {};
  }
  const bool first_use = (sectors.prefetched & bit) != 0;
  sectors.prefetched = static_cast<uint16_t>(sectors.prefetched & ~bit);
  sectors.dirty = static_cast<uint16_t>(sectors.dirty | (write ? bit : 0));
  return {true, first_use};
}

void CacheArray::fill_sector(Sectors& sectors, uint64_t unit, uint8_t flags) const {
  const unsigned bit = sector_bit(unit);
  const auto with = [bit](uint16_t bits) { return static_cast<uint16_t>(bits | bit); };
  sectors.held = with(sectors.held);
  sectors.dirty = (flags & kDirty) != 0 ? with(sectors.dirty) : sectors.dirty;
  sectors.prefetched = (flags & kPrefetched) != 0 ? with(sectors.prefetched) : sectors.prefetched;
}

CacheArray::Victim CacheArray::insert_sector(uint64_t unit, uint8_t flags) {
  const uint64_t line = unit >> sector_shift_;
  const uint64_t set = set_index(line);
  const size_t held = find_way(set, line);
  if (held < ways_) {
    fill_sector(sectors_[set * ways_ + held], unit, flags);
    note_hit(set, held);
    return {};
  }
  const size_t way = fill(set);
  const size_t place = set * ways_ + way;
  tagged_.short_tags(set)[way] = short_tag(line);
  uint64_t& tag = tagged_.tags(set)[way];
  const uint64_t old_line = line_of(tag);
  tag = tag_of(line);
  const Sectors old = std::exchange(sectors_[place], {});
  fill_sector(sectors_[place], unit, flags);
  return {old_line << sector_shift_, old.held, old.dirty, old.prefetched};
}

CacheArray::Place CacheArray::find(uint64_t unit) const {
  const uint64_t line = unit >> sector_shift_;
  const uint64_t set = set_index(line);
  const size_t way = find_way(set, line);
  const bool held = way < ways_ && (sectors_.empty() ||
                                    (sectors_[set * ways_ + way].held & sector_bit(unit)) != 0);
  return {set, held ? way : ways_};
}

bool CacheArray::contains(uint64_t unit) const {
  return ordered_ ? contains_line(unit) : find(unit).way < ways_;
}

bool CacheArray::clean(uint64_t unit) {
  if (ordered_) {
    uint64_t* const entry = ordered_->find(set_index(unit), tag_of(unit));
    return entry != nullptr && make_clean(*entry);
  }
  const auto [set, way] = find(unit);
  if (way == ways_) {
    return false;
  }
  if (sectors_.empty()) {
    return make_clean(tagged_.tags(set)[way]);
  }
  const unsigned bit = sector_bit(unit);
  Sectors& sectors = sectors_[set * ways_ + way];
  const bool dirty = (sectors.dirty & bit) != 0;
  sectors.dirty = static_cast<uint16_t>(sectors.dirty & ~bit);
  return dirty;
}

CacheArray::Victim CacheArray::remove_ordered(uint64_t line) {
  const uint64_t set = set_index(line);
  const uint64_t* const entry = ordered_->find(set, tag_of(line));
  if (entry == nullptr) {
    return {};
  }
  const Victim victim = victim_of(*entry);
  ordered_->remove(set, entry);
  return victim;
}

CacheArray::Victim CacheArray::remove(uint64_t unit) {
  if (ordered_) {
    return remove_ordered(unit);
  }
  const auto [set, way] = find(unit);
  if (way == ways_) {
    return {};
  }
  Victim victim = victim_of(tagged_.tags(set)[way]);
  victim.unit = unit;
  bool line_is_empty = true;
  if (!sectors_.empty()) {
    Sectors& sectors = sectors_[set * ways_ + way];
    const unsigned bit = sector_bit(unit);
    const auto without = [bit](uint16_t bits) { return static_cast<uint16_t>(bits & ~bit); };
    victim.dirty_units = (sectors.dirty & bit) != 0;
    victim.unused_units = (sectors.prefetched & bit) != 0;
    sectors = {without(sectors.held), without(sectors.dirty), without(sectors.prefetched)};
    line_is_empty = sectors.held == 0;
  }
  if (line_is_empty) {
    empty_way(set, way);
  }
  return victim;
}

}  // namespace presort::sim
