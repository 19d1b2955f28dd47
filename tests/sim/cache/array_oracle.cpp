#include "tests/sim/cache/array_oracle.h"

#include "presort/core/base/random.h"

namespace presort::inline v0::test {

ArrayOracle::ArrayOracle(std::string policy, uint64_t sets, uint64_t ways,
                         std::function<uint64_t(uint64_t)> set_of, uint64_t seed, uint64_t sectors)
    : policy_(std::move(policy)),
      sets_(sets),
      ways_(ways),
      set_of_(std::move(set_of)),
      sectors_(sectors),
      random_(seed),
      seed_(seed) {}

int ArrayOracle::initial_number() const {
  const bool ages = is("srrip") || is("brrip") || is("drrip") || policy_.starts_with("QLRU");
  return ages ? 3 : 0;
}

ArrayOracle::Set& ArrayOracle::set(uint64_t index) {
  Set& found = contents_[index];
  if (found.slots.empty()) {
    found.slots.resize(ways_);
    for (Slot& slot : found.slots) {
      slot.number = initial_number();
    }
  }
  return found;
}

ArrayOracle::Slot* ArrayOracle::find(uint64_t unit) {
  const uint64_t line = unit / sectors_;
  for (Slot& slot : set(set_of_(line)).slots) {
    if (slot.full && slot.line == line) {
      return &slot;
    }
  }
  return nullptr;
}

bool ArrayOracle::contains_line(uint64_t unit) {
  return find(unit) != nullptr;
}

bool ArrayOracle::contains(uint64_t unit) {
  const Slot* slot = find(unit);
  return slot != nullptr && slot->units.contains(unit);
}

bool ArrayOracle::dirty(uint64_t unit) {
  const Slot* slot = find(unit);
  return slot != nullptr && slot->units.contains(unit) && slot->units.at(unit);
}

void ArrayOracle::clean(uint64_t unit) {
  if (contains(unit)) {
    find(unit)->units[unit] = false;
  }
}

bool ArrayOracle::access(uint64_t unit, bool write) {
  if (!contains(unit)) {
    return false;
  }
  Slot* slot = find(unit);
  slot->units[unit] |= write;
  Set& home = set(set_of_(unit / sectors_));
  note_hit(home, static_cast<size_t>(slot - home.slots.data()));
  return true;
}

ArrayOracle::Units ArrayOracle::insert(uint64_t unit, bool dirty) {
  const uint64_t line = unit / sectors_;
  const uint64_t index = set_of_(line);
  Set& home = set(index);
  if (Slot* slot = find(unit)) {  // the line is present, but the sector is not
    slot->units[unit] = dirty;
    note_hit(home, static_cast<size_t>(slot - home.slots.data()));
    return {};
  }
  if (policy_.ends_with("UMO")) {
    age_qlru(home, ways_);
  }
  const size_t way = way_for(home, index);
  Units out = home.slots[way].units;
  home.slots[way] = {true, line, {{unit, dirty}}, 0, 0, home.slots[way].number};
  note_arrival(home, index, way);
  return out;
}

std::optional<bool> ArrayOracle::remove(uint64_t unit) {
  if (!contains(unit)) {
    return std::nullopt;
  }
  Slot* slot = find(unit);
  const bool dirty = slot->units[unit];
  slot->units.erase(unit);
  if (slot->units.empty()) {
    *slot = {};
    slot->number = initial_number();
  }
  return dirty;
}

size_t ArrayOracle::way_for(Set& set, uint64_t index) {
  const auto empty = [](const Slot& slot) { return !slot.full; };
  if (policy_.starts_with("QLRU") && part('R', 1) == '2') {
    for (size_t way = ways_; way-- > 0;) {
      if (empty(set.slots[way])) {
        return way;
      }
    }
  }
  for (size_t way = 0; way < ways_; ++way) {
    if (empty(set.slots[way])) {
      return way;
    }
  }
  return victim(set, index);
}

size_t ArrayOracle::victim(Set& set, uint64_t /*index*/) {
  const auto least = [&](auto field) {
    size_t way = 0;
    for (size_t i = 1; i < ways_; ++i) {
      way = set.slots[i].*field < set.slots[way].*field ? i : way;
    }
    return way;
  };
  const auto first_of = [&](int number) {
    for (size_t i = 0; i < ways_; ++i) {
      if (set.slots[i].number == number) {
        return i;
      }
    }
    return ways_;
  };
  if (is("lru")) {
    return least(&Slot::used);
  }
  if (is("fifo")) {
    return least(&Slot::arrived);
  }
  if (is("random")) {
    random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<size_t>((static_cast<unsigned __int128>(random_) * ways_) >> 64);
  }
  if (is("tree-plru")) {
    return follow_tree(set);
  }
  if (is("bit-plru")) {
    return ways_ == 1 ? 0 : first_of(0);
  }
  if (is("nru")) {  // NRU: number 1 marks a used line; when all are used, all marks are cleared
    if (first_of(0) == ways_) {
      for (Slot& slot : set.slots) {
        slot.number = 0;
      }
    }
    return first_of(0);
  }
  if (policy_.starts_with("QLRU")) {
    return first_of(3) == ways_ ? 0 : first_of(3);
  }
  while (first_of(3) == ways_) {  // RRIP policies: lines age until one has value 3
    for (Slot& slot : set.slots) {
      ++slot.number;
    }
  }
  return first_of(3);
}

void ArrayOracle::note_hit(Set& set, size_t way) {
  Slot& slot = set.slots[way];
  slot.used = ++now_;
  if (is("tree-plru")) {
    point_away(set, way);
  } else if (is("bit-plru")) {
    mark(set, way);
  } else if (is("nru")) {
    slot.number = 1;
  } else if (policy_.starts_with("QLRU")) {
    const int age = slot.number;
    slot.number = age == 3 ? part('H', 1) - '0' : age == 2 ? part('H', 2) - '0' : 0;
    if (!policy_.ends_with("UMO")) {
      age_qlru(set, way);
    }
  } else if (policy_.ends_with("rrip")) {
    slot.number = 0;
  }
}

void ArrayOracle::note_arrival(Set& set, uint64_t index, size_t way) {
  Slot& slot = set.slots[way];
  slot.used = slot.arrived = ++now_;
  const auto bimodal = [&] { return ++bimodal_fills_ % 32 == 0 ? 2 : 3; };
  if (is("tree-plru")) {
    point_away(set, way);
  } else if (is("bit-plru")) {
    mark(set, way);
  } else if (is("nru")) {
    slot.number = 1;
  } else if (is("srrip")) {
    slot.number = 2;
  } else if (is("brrip")) {
    slot.number = bimodal();
  } else if (is("drrip")) {
    const uint64_t group = std::max<uint64_t>(2, sets_ / 32);
    const bool srrip_leads = leader(index, 0);
    const bool brrip_leads = leader(index, group / 2);
    selector_ = std::clamp(selector_ + (srrip_leads ? 1 : 0) - (brrip_leads ? 1 : 0), 0, 1023);
    slot.number = brrip_leads || (!srrip_leads && selector_ >= 512) ? bimodal() : 2;
  } else if (policy_.starts_with("QLRU")) {
    slot.number = part('M', 1) - '0';
    if (part('M', 1) == 'R') {
      const uint64_t draw = random_u64(seed_, draws_++) >> 60;
      slot.number = part('M', draw == 0 ? 3 : 2) - '0';
    }
    if (!policy_.ends_with("UMO")) {
      age_qlru(set, way);
    }
  }
}

bool ArrayOracle::leader(uint64_t index, uint64_t place) const {
  const uint64_t group = std::max<uint64_t>(2, sets_ / 32);
  return index / group < 32 && index % group == place;
}

// Tree-PLRU: the tree halves the ways, rounded up to a power of two, down to single ways.
void ArrayOracle::point_away(Set& set, size_t way) {
  uint64_t first = 0;
  uint64_t last = 1;
  while (last < ways_) {
    last *= 2;
  }
  while (last - first > 1) {
    const uint64_t middle = (first + last) / 2;
    set.second_half[{first, last}] = way < middle;
    (way < middle ? last : first) = middle;
  }
}

size_t ArrayOracle::follow_tree(Set& set) {
  uint64_t first = 0;
  uint64_t last = 1;
  while (last < ways_) {
    last *= 2;
  }
  while (last - first > 1) {
    const uint64_t middle = (first + last) / 2;
    const bool second = set.second_half[{first, last}] && middle < ways_;
    (second ? first : last) = middle;
  }
  return first;
}

void ArrayOracle::mark(Set& set, size_t way) {
  set.slots[way].number = 1;
  const auto marked = [](const Slot& slot) { return slot.number == 1; };
  if (std::all_of(set.slots.begin(), set.slots.end(), marked)) {
    for (Slot& slot : set.slots) {
      slot.number = 0;
    }
    set.slots[way].number = 1;
  }
}

char ArrayOracle::part(char letter, int offset) const {
  return policy_[policy_.find('_' + std::string(1, letter)) + 1 + static_cast<size_t>(offset)];
}

// Ages the lines of a QLRU set. `used` is the way just used, or ways_ for none.
void ArrayOracle::age_qlru(Set& set, size_t used) {
  const char kind = part('U', 1);
  const auto oldest_but = [&](size_t spared) {
    int oldest = 0;
    for (size_t way = 0; way < ways_; ++way) {
      oldest = way == spared ? oldest : std::max(oldest, set.slots[way].number);
    }
    return oldest;
  };
  const size_t spared = kind == '1' || kind == '3' ? used : ways_;
  const int oldest = oldest_but(kind == '1' ? used : ways_);
  const int step = kind == '0' || kind == '1' ? 3 - oldest : (oldest == 3 ? 0 : 1);
  for (size_t way = 0; way < ways_; ++way) {
    set.slots[way].number += way == spared ? 0 : step;
  }
}

}  // namespace presort::test
