#include "sim/cache/cache_array.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "sim/cache/policies/bit_plru.h"
#include "sim/cache/policies/brrip.h"
#include "sim/cache/policies/drrip.h"
#include "sim/cache/policies/fifo.h"
#include "sim/cache/policies/nru.h"
#include "sim/cache/policies/qlru.h"
#include "sim/cache/policies/random.h"
#include "sim/cache/policies/srrip.h"
#include "sim/cache/policies/tree_plru.h"

namespace presort::sim {

template <class Policy>
class CacheArray::EngineOf final : public CacheArray::Engine {
 public:
  EngineOf(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed)
      : policy_(sets, ways, policy, seed) {}

  bool fills_last_way_first() const override { return policy_.fills_last_way_first(); }
  void hit(uint64_t set, uint64_t way) override { policy_.hit(set, way); }
  void missed(uint64_t set) override { policy_.missed(set); }
  uint64_t victim(uint64_t set) override { return policy_.victim(set); }
  void filled(uint64_t set, uint64_t way) override { policy_.filled(set, way); }
  void removed(uint64_t set, uint64_t way) override { policy_.removed(set, way); }
  Lru* lru() override {
    if constexpr (std::is_same_v<Policy, Lru>) {
      return &policy_;
    } else {
      return nullptr;
    }
  }

 private:
  Policy policy_;
};

namespace {

template <class Made, class EngineType>
Made make(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed) {
  return std::make_unique<EngineType>(sets, ways, policy, seed);
}

}  // namespace

std::unique_ptr<CacheArray::Engine> CacheArray::make_engine(uint64_t sets, uint64_t ways,
                                                            const Replacement& policy,
                                                            uint64_t seed) {
  using Made = std::unique_ptr<Engine>;
  struct Row {
    ReplacementKind kind;
    Made (*make)(uint64_t, uint64_t, const Replacement&, uint64_t);
  };
  static constexpr Row kEngines[] = {
      {ReplacementKind::lru, make<Made, EngineOf<Lru>>},
      {ReplacementKind::treePlru, make<Made, EngineOf<TreePlru>>},
      {ReplacementKind::bitPlru, make<Made, EngineOf<BitPlru>>},
      {ReplacementKind::nru, make<Made, EngineOf<Nru>>},
      {ReplacementKind::fifo, make<Made, EngineOf<Fifo>>},
      {ReplacementKind::random, make<Made, EngineOf<Random>>},
      {ReplacementKind::srrip, make<Made, EngineOf<Srrip>>},
      {ReplacementKind::brrip, make<Made, EngineOf<Brrip>>},
      {ReplacementKind::drrip, make<Made, EngineOf<Drrip>>},
      {ReplacementKind::qlru, make<Made, EngineOf<Qlru>>},
  };
  static_assert(std::size(kEngines) == std::size(kReplacements));
  for (const Row& row : kEngines) {
    if (row.kind == policy.kind) {
      return row.make(sets, ways, policy, seed);
    }
  }
  throw Error("a replacement policy without an implementation");
}

CacheArray::CacheArray(uint64_t sets, uint64_t ways, const Replacement& policy, bool hashed,
                       uint64_t seed, uint64_t sectors)
    : sets_(sets),
      ways_(ways),
      mask_(std::has_single_bit(sets) && !hashed ? sets - 1 : 0),
      hashed_(hashed),
      sector_shift_(static_cast<uint8_t>(std::countr_zero(sectors))),
      tags_(sets * ways, 0),
      sectors_(sectors > 1 ? tags_.size() : 0),
      short_stride_((ways + kShortTags - 1) / kShortTags * kShortTags),
      short_tags_(sets * short_stride_, 0),
      engine_(make_engine(sets, ways, policy, seed)),
      lru_(engine_->lru()) {
  fills_last_way_first_ = engine_->fills_last_way_first();
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

CacheArray::Victim CacheArray::insert(uint64_t unit, uint8_t flags) {
  const uint64_t line = unit >> sector_shift_;
  const uint64_t set = set_index(line);
  if (!sectors_.empty()) {
    const size_t held = find_way(set, line);
    if (held < ways_) {
      fill_sector(sectors_[set * ways_ + held], unit, flags);
      used(set, held);
      return {};
    }
  }
  const size_t way = make_room(set);
  short_tags_[set * short_stride_ + way] = short_tag(line);
  return replace(set * ways_ + way, unit, flags);
}

// The way that the next line of `set` enters, an empty one if there is any.
size_t CacheArray::make_room(uint64_t set) {
  latest_unit_ = kNoUnit;
  if (lru_ != nullptr) {
    const size_t empty = empty_way(set);
    const size_t way = empty < ways_ ? empty : lru_->victim(set);
    lru_->filled(set, way);
    return way;
  }
  engine_->missed(set);
  const size_t empty = empty_way(set);
  const size_t way = empty < ways_ ? empty : engine_->victim(set);
  engine_->filled(set, way);
  return way;
}

size_t CacheArray::empty_way(uint64_t set) const {
  const uint16_t* short_tags = short_tags_.data() + set * short_stride_;
  if (fills_last_way_first_) {
    size_t way = ways_;
    while (way > 0 && short_tags[way - 1] != 0) {
      --way;
    }
    return way > 0 ? way - 1 : ways_;
  }
  // Without gaps a set fills from the first way: the last one tells whether any is empty.
  if (!has_gaps_ && short_tags[ways_ - 1] != 0) {
    return ways_;
  }
  return static_cast<size_t>(std::find(short_tags, short_tags + ways_, 0) - short_tags);
}

CacheArray::Victim CacheArray::replace(size_t place, uint64_t unit, uint8_t flags) {
  Victim victim = victim_of(tags_[place]);
  tags_[place] = tag_of(unit >> sector_shift_);
  if (sectors_.empty()) {
    tags_[place] |= flags;
    return victim;
  }
  const Sectors old = std::exchange(sectors_[place], {});
  victim = {victim.unit << sector_shift_, old.held, old.dirty, old.prefetched};
  fill_sector(sectors_[place], unit, flags);
  return victim;
}

size_t CacheArray::find(uint64_t unit) const {
  const uint64_t line = unit >> sector_shift_;
  const uint64_t set = set_index(line);
  const size_t way = find_way(set, line);
  const size_t place = set * ways_ + way;
  const bool held =
      way < ways_ && (sectors_.empty() || (sectors_[place].held & sector_bit(unit)) != 0);
  return held ? place : tags_.size();
}

bool CacheArray::contains(uint64_t unit) const {
  return find(unit) < tags_.size();
}

bool CacheArray::clean(uint64_t unit) {
  const size_t place = find(unit);
  if (place == tags_.size()) {
    return false;
  }
  if (sectors_.empty()) {
    const bool dirty = (tags_[place] & kDirty) != 0;
    tags_[place] &= ~uint64_t{kDirty};
    return dirty;
  }
  const unsigned bit = sector_bit(unit);
  const bool dirty = (sectors_[place].dirty & bit) != 0;
  sectors_[place].dirty = static_cast<uint16_t>(sectors_[place].dirty & ~bit);
  return dirty;
}

CacheArray::Victim CacheArray::remove(uint64_t unit) {
  const size_t place = find(unit);
  if (place == tags_.size()) {
    return {};
  }
  Victim victim = victim_of(tags_[place]);
  victim.unit = unit;
  bool line_is_empty = true;
  if (!sectors_.empty()) {
    Sectors& sectors = sectors_[place];
    const unsigned bit = sector_bit(unit);
    const auto without = [bit](uint16_t bits) { return static_cast<uint16_t>(bits & ~bit); };
    victim.dirty_units = (sectors.dirty & bit) != 0;
    victim.unused_units = (sectors.prefetched & bit) != 0;
    sectors = {without(sectors.held), without(sectors.dirty), without(sectors.prefetched)};
    line_is_empty = sectors.held == 0;
  }
  if (line_is_empty) {
    const uint64_t set = place / ways_;
    const uint64_t way = place % ways_;
    tags_[place] = 0;
    short_tags_[set * short_stride_ + way] = 0;
    has_gaps_ = true;
    latest_unit_ = kNoUnit;
    engine_->removed(set, way);
  }
  return victim;
}

}  // namespace presort::sim
