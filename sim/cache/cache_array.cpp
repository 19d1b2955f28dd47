#include "sim/cache/cache_array.h"

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

template <class Policy>
class CacheArray::EngineOf final : public CacheArray::Engine {
 public:
  EngineOf(uint64_t sets, uint64_t ways, const Replacement& policy, uint64_t seed)
      : policy_(sets, ways, policy, seed) {}

  bool hears_every_hit() const override { return Policy::kWays == Ways::fixed; }

  Lookup access(CacheArray& array, uint64_t* set, uint64_t tag, bool write) override {
    const size_t begin = Policy::kWays == Ways::fixed ? 0 : 1;  // the first was looked at
    const size_t way = find_tag(set, begin, array.ways_, kTagMask, tag);
    if (way >= array.ways_) {
      return {};
    }
    const Lookup lookup = use(set[way], write);
    if constexpr (Policy::kWays == Ways::byUse) {
      move_to_front(set, way, set[way]);
    } else if constexpr (Policy::kWays == Ways::fixed) {
      policy_.hit(array.number_of(set), way);
    }
    return lookup;
  }

  Victim insert(CacheArray& array, uint64_t line, uint8_t flags) override {
    const uint64_t index = array.set_index(line);
    uint64_t* set = array.tags_.data() + index * array.ways_;
    const uint64_t entry = tag_of(line) | flags;
    if constexpr (Policy::kWays == Ways::fixed) {
      policy_.missed(index);
      const size_t way = way_for(array, index, set);
      const Victim victim = victim_of(set[way]);
      set[way] = entry;
      policy_.filled(index, way);
      return victim;
    } else if constexpr (Policy::kWays == Ways::anyOrder) {
      const size_t way = way_for(array, index, set);
      const Victim victim = victim_of(set[way]);
      set[way] = entry;
      return victim;
    } else {
      const Victim victim = victim_of(set[array.ways_ - 1]);
      move_to_front(set, array.ways_ - 1, entry);
      return victim;
    }
  }

  void removed(CacheArray& array, uint64_t* set, uint64_t way) override {
    if constexpr (Policy::kWays == Ways::fixed) {
      set[way] = 0;
      has_gaps_ = true;
      policy_.removed(array.number_of(set), way);
    } else {
      std::memmove(set + way, set + way + 1, (array.ways_ - 1 - way) * sizeof(uint64_t));
      set[array.ways_ - 1] = 0;
    }
  }

 private:
  static void move_to_front(uint64_t* set, size_t way, uint64_t entry) {
    std::memmove(set + 1, set, way * sizeof(uint64_t));
    set[0] = entry;
  }

  size_t way_for(const CacheArray& array, uint64_t index, const uint64_t* set) {
    if constexpr (Policy::kWays == Ways::fixed) {
      if (policy_.fills_last_way_first()) {
        for (size_t way = array.ways_; way-- > 0;) {
          if (set[way] == 0) {
            return way;
          }
        }
        return policy_.victim(index);
      }
    }
    // Without gaps a set fills from the first way: the last one tells whether any is empty.
    if (has_gaps_ || set[array.ways_ - 1] == 0) {
      const size_t empty = find_tag(set, 0, array.ways_, ~uint64_t{0}, 0);
      if (empty < array.ways_) {
        return empty;
      }
    }
    return policy_.victim(index);
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
                       uint64_t seed)
    : sets_(sets),
      ways_(ways),
      mask_(std::has_single_bit(sets) && !hashed ? sets - 1 : 0),
      hashed_(hashed),
      tags_(sets * ways, 0),
      engine_(make_engine(sets, ways, policy, seed)) {
  first_way_mask_ = engine_->hears_every_hit() ? 0 : kTagMask;
}

bool CacheArray::contains(uint64_t line) const {
  return find_tag(set_of(line), 0, ways_, kTagMask, tag_of(line)) < ways_;
}

CacheArray::Victim CacheArray::remove(uint64_t line) {
  uint64_t* set = set_of(line);
  const size_t way = find_tag(set, 0, ways_, kTagMask, tag_of(line));
  if (way >= ways_) {
    return {};
  }
  const Victim victim = victim_of(set[way]);
  engine_->removed(*this, set, way);
  return victim;
}

}  // namespace presort::sim
