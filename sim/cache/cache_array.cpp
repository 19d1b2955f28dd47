#include "sim/cache/cache_array.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "core/error.h"
#include "sim/cache/find_tag.h"
#include "sim/cache/policies/bit_plru.h"
#include "sim/cache/policies/brrip.h"
#include "sim/cache/policies/drrip.h"
#include "sim/cache/policies/fifo.h"
#include "sim/cache/policies/lru.h"
#include "sim/cache/policies/nru.h"
#include "sim/cache/policies/qlru.h"
#include "sim/cache/policies/random.h"
#include "sim/cache/policies/srrip.h"
#include "sim/cache/policies/tree_plru.h"

namespace presort::sim {

template <class Policy, bool kSectored>
class CacheArray::EngineOf final : public CacheArray::Engine {
 public:
  EngineOf(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed)
      : policy_(sets, ways, policy, seed) {}

  bool hears_every_hit() const override { return Policy::kWays == Ways::fixed || kSectored; }

  Lookup access(CacheArray& array, uint64_t* set, uint64_t tag, bool write) override {
    const uint64_t unit = (tag >> kFlagBits) - 1;
    if constexpr (kSectored) {
      const uint64_t line = unit >> array.sector_shift_;
      set = array.set_of(line);
      tag = tag_of(line);
    }
    const size_t begin = hears_every_hit() ? 0 : 1;  // else the first was looked at
    const size_t way = find_tag(set, begin, array.ways_, kTagMask, tag);
    if (way >= array.ways_) {
      return {};
    }
    Lookup lookup;
    if constexpr (kSectored) {
      lookup = use_sector(array, static_cast<size_t>(set - array.tags_.data()) + way, unit, write);
      if (!lookup.hit) {
        return {};
      }
    } else {
      lookup = use(set[way], write);
    }
    used(array, set, way);
    return lookup;
  }

  Victim insert(CacheArray& array, uint64_t unit, uint8_t flags) override {
    const uint64_t line = unit >> array.sector_shift_;
    const uint64_t index = array.set_index(line);
    uint64_t* set = array.tags_.data() + index * array.ways_;
    if constexpr (kSectored) {
      const size_t held = find_tag(set, 0, array.ways_, kTagMask, tag_of(line));
      if (held < array.ways_) {
        fill_sector(array, index * array.ways_ + held, unit, flags);
        used(array, set, held);
        return {};
      }
    }
    if constexpr (Policy::kWays == Ways::fixed) {
      policy_.missed(index);
    }
    const size_t way = way_for(array, index, set);
    const Victim victim = replace(array, index * array.ways_ + way, unit, flags);
    if constexpr (Policy::kWays == Ways::fixed) {
      policy_.filled(index, way);
    } else if constexpr (Policy::kWays != Ways::anyOrder) {
      move_to_front(array, set, way);
    }
    return victim;
  }

  void removed(CacheArray& array, uint64_t* set, uint64_t way) override {
    if constexpr (Policy::kWays == Ways::fixed) {
      set[way] = 0;
      has_gaps_ = true;
      policy_.removed(array.number_of_set(set), way);
    } else {
      const size_t last = array.ways_ - 1;
      std::memmove(set + way, set + way + 1, (last - way) * sizeof(uint64_t));
      set[last] = 0;
      if constexpr (kSectored) {
        Sectors* sectors = array.sectors_.data() + (set - array.tags_.data());
        std::rotate(sectors + way, sectors + way + 1, sectors + last + 1);
      }
    }
  }

 private:
  void used(CacheArray& array, uint64_t* set, size_t way) {
    if constexpr (Policy::kWays == Ways::byUse) {
      move_to_front(array, set, way);
    } else if constexpr (Policy::kWays == Ways::fixed) {
      policy_.hit(array.number_of_set(set), way);
    }
  }

  static void move_to_front(CacheArray& array, uint64_t* set, size_t way) {
    const uint64_t entry = set[way];
    std::memmove(set + 1, set, way * sizeof(uint64_t));
    set[0] = entry;
    if constexpr (kSectored) {
      Sectors* sectors = array.sectors_.data() + (set - array.tags_.data());
      std::rotate(sectors, sectors + way, sectors + way + 1);
    }
  }

  static Lookup use_sector(CacheArray& array, size_t place, uint64_t unit, bool write) {
    Sectors& sectors = array.sectors_[place];
    const unsigned bit = array.sector_bit(unit);
    if ((sectors.held & bit) == 0) {
      return {};
    }
    const bool first_use = (sectors.prefetched & bit) != 0;
    sectors.prefetched = static_cast<uint16_t>(sectors.prefetched & ~bit);
    sectors.dirty = static_cast<uint16_t>(sectors.dirty | (write ? bit : 0));
    return {true, first_use};
  }

  static void fill_sector(CacheArray& array, size_t place, uint64_t unit, uint8_t flags) {
    Sectors& sectors = array.sectors_[place];
    const unsigned bit = array.sector_bit(unit);
    const auto with = [bit](uint16_t bits) { return static_cast<uint16_t>(bits | bit); };
    sectors.held = with(sectors.held);
    sectors.dirty = (flags & kDirty) != 0 ? with(sectors.dirty) : sectors.dirty;
    sectors.prefetched = (flags & kPrefetched) != 0 ? with(sectors.prefetched) : sectors.prefetched;
  }

  static Victim replace(CacheArray& array, size_t place, uint64_t unit, uint8_t flags) {
    const uint64_t line = unit >> array.sector_shift_;
    Victim victim = victim_of(array.tags_[place]);
    array.tags_[place] = tag_of(line);
    if constexpr (!kSectored) {
      array.tags_[place] |= flags;
    } else {
      const Sectors old = array.sectors_[place];
      victim = {victim.unit << array.sector_shift_, old.held, old.dirty, old.prefetched};
      array.sectors_[place] = {};
      fill_sector(array, place, unit, flags);
    }
    return victim;
  }

  // Ways in order: the last. Otherwise an empty one, then what the policy says.
  size_t way_for(const CacheArray& array, uint64_t index, const uint64_t* set) {
    if constexpr (Policy::kWays == Ways::byUse || Policy::kWays == Ways::byArrival) {
      return array.ways_ - 1;
    } else {
      const size_t empty = empty_way(array, set);
      return empty < array.ways_ ? empty : policy_.victim(index);
    }
  }

  size_t empty_way(const CacheArray& array, const uint64_t* set) const {
    if constexpr (Policy::kWays == Ways::fixed) {
      if (policy_.fills_last_way_first()) {
        size_t way = array.ways_;
        while (way > 0 && set[way - 1] != 0) {
          --way;
        }
        return way > 0 ? way - 1 : array.ways_;
      }
    }
    // Without gaps a set fills from the first way: the last one tells whether any is empty.
    return has_gaps_ || set[array.ways_ - 1] == 0 ? find_tag(set, 0, array.ways_, ~uint64_t{0}, 0)
                                                  : array.ways_;
  }

  Policy policy_;
  bool has_gaps_ = false;  // a line was taken out of a fixed way
};

namespace {

template <class Made, class EngineType>
Made make(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed) {
  return std::make_unique<EngineType>(sets, ways, policy, seed);
}

}  // namespace

template <bool kSectored>
std::unique_ptr<CacheArray::Engine> CacheArray::make_engine(uint64_t sets, uint64_t ways,
                                                            const Replacement& policy,
                                                            uint64_t seed) {
  using Made = std::unique_ptr<Engine>;
  struct Row {
    ReplacementKind kind;
    Made (*make)(uint64_t, uint64_t, const Replacement&, uint64_t);
  };
  static constexpr Row kEngines[] = {
      {ReplacementKind::lru, make<Made, EngineOf<Lru, kSectored>>},
      {ReplacementKind::treePlru, make<Made, EngineOf<TreePlru, kSectored>>},
      {ReplacementKind::bitPlru, make<Made, EngineOf<BitPlru, kSectored>>},
      {ReplacementKind::nru, make<Made, EngineOf<Nru, kSectored>>},
      {ReplacementKind::fifo, make<Made, EngineOf<Fifo, kSectored>>},
      {ReplacementKind::random, make<Made, EngineOf<Random, kSectored>>},
      {ReplacementKind::srrip, make<Made, EngineOf<Srrip, kSectored>>},
      {ReplacementKind::brrip, make<Made, EngineOf<Brrip, kSectored>>},
      {ReplacementKind::drrip, make<Made, EngineOf<Drrip, kSectored>>},
      {ReplacementKind::qlru, make<Made, EngineOf<Qlru, kSectored>>},
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
      engine_(sectors > 1 ? make_engine<true>(sets, ways, policy, seed)
                          : make_engine<false>(sets, ways, policy, seed)) {
  first_way_mask_ = engine_->hears_every_hit() ? 0 : kTagMask;
}

size_t CacheArray::way_of(uint64_t unit) const {
  const uint64_t line = unit >> sector_shift_;
  return find_tag(set_of(line), 0, ways_, kTagMask, tag_of(line));
}

[[gnu::always_inline]] inline size_t CacheArray::find(uint64_t unit) const {
  const uint64_t line = unit >> sector_shift_;
  const uint64_t* set = set_of(line);
  const size_t way = find_tag(set, 0, ways_, kTagMask, tag_of(line));
  const size_t place = static_cast<size_t>(set - tags_.data()) + way;
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
    engine_->removed(*this, tags_.data() + place / ways_ * ways_, place % ways_);
  }
  return victim;
}

}  // namespace presort::sim
