// A table of groups: open addressing with linear probing, by hashes that can be undone
// (core/base/key_hash.h). The place of a hash is given by the bits below its top ones, which all hashes
// of a part share. At most half of the places are taken.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "presort/core/base/key_hash.h"
#include "presort/cpu/memory/memory.h"

namespace presort::inline v0::cpu {

template <class HashType, class ValueType, bool kHasCounts>
struct GroupEntry {
  using Hash = HashType;
  using Value = ValueType;
  static constexpr bool kCounts = kHasCounts;
  Hash hash;
  Value value;
  uint64_t count;  // number of inputs, at least 1
};

template <class HashType, class ValueType>
struct GroupEntry<HashType, ValueType, false> {
  using Hash = HashType;
  using Value = ValueType;
  static constexpr bool kCounts = false;
  Hash hash;
  Value value;
};

template <class Entry, class M>
class GroupTable {
 public:
  using Hash = typename Entry::Hash;
  using Value = typename Entry::Value;
  static constexpr int kHashBits = 8 * sizeof(Hash);
  static constexpr size_t kLeastSlots = 16;

  // Places of the largest table that has at most so many bytes.
  static size_t most_slots(size_t bytes) {
    return std::bit_floor(std::max(kLeastSlots, bytes / sizeof(Entry)));
  }

  // A table for parts whose hashes share their top bits, with at most `most_slots` places.
  // Requires: most_slots is a power of two, at least kLeastSlots
  GroupTable(const M& monoid, size_t most_slots) : monoid_(monoid), most_slots_(most_slots) {}

  // Empties the table, for hashes that share their top `part_bits` bits and about so many groups.
  void begin(int part_bits, size_t groups) {
    part_bits_ = std::min(part_bits, kHashBits - std::countr_zero(most_slots_));
    // Twice the places that half of them taken would need: fewer groups then share their first place.
    constexpr size_t kSlotsOfGroup = 4;
    set_slots(std::clamp(std::bit_ceil(std::max<size_t>(groups, 1) * kSlotsOfGroup), kLeastSlots,
                         most_slots_));
    entries_.assign(slots_, no_entry());
    groups_ = 0;
    has_no_hash_ = false;
  }

  size_t groups() const { return groups_ + (has_no_hash_ ? 1 : 0); }

  // Adds inputs [0, count), whose labels are hashes (cpu/detail/input.h). Returns `count`, or the first
  // input for whose group there is no place.
  template <class Input>
  size_t add(const Input& input, size_t count) {
    RawMemory memory;
    Places places = this->places();
    for (size_t i = 0; i < count; ++i) {
      const Hash hash = input.label(i, memory);
      const Value value = input.value(i, memory);
      Entry* const entry = places.find(hash);
      if (entry->hash == hash && hash != kNoHash<Hash>) [[likely]] {
        entry->value = monoid_(entry->value, value);
        if constexpr (Entry::kCounts) {
          ++entry->count;
        }
      } else if (join(group_of(hash, value))) {
        places = this->places();
      } else {
        return i;
      }
    }
    return count;
  }

  // Adds a whole group. Returns whether there was a place for it.
  bool join(const Entry& group) {
    if (group.hash == kNoHash<Hash>) {
      if (has_no_hash_) {
        combine(no_hash_, group);
      } else {
        no_hash_ = group;
        has_no_hash_ = true;
      }
      return true;
    }
    Entry* const entry = find(group.hash);
    if (entry->hash == group.hash) {
      combine(*entry, group);
      return true;
    }
    return insert(entry, group);
  }

  // Calls use(group) for each group, in the order of their places.
  template <class Use>
  void for_each(const Use& use) const {
    for (size_t slot = 0; slot < slots_; ++slot) {
      if (entries_[slot].hash != kNoHash<Hash>) {
        use(entries_[slot]);
      }
    }
    if (has_no_hash_) {
      use(no_hash_);
    }
  }

 private:
  static Entry no_entry() {
    Entry entry{};
    entry.hash = kNoHash<Hash>;
    return entry;
  }

  void set_slots(size_t slots) {
    slots_ = slots;
    mask_ = slots - 1;
    slot_shift_ = kHashBits - std::countr_zero(slots);
  }

  // The members that a search for a place reads. A loop keeps a copy in registers, as stores to entries
  // might alias the members of the table.
  struct Places {
    Entry* entries;
    size_t mask;
    int part_bits;
    int slot_shift;

    // The place of a hash, or the empty one where it belongs.
    [[gnu::always_inline]] Entry* find(Hash hash) const {
      for (size_t slot = static_cast<size_t>(static_cast<Hash>(hash << part_bits) >> slot_shift);;
           slot = (slot + 1) & mask) {
        Entry* const entry = entries + slot;
        if (entry->hash == hash || entry->hash == kNoHash<Hash>) {
          return entry;
        }
      }
    }
  };

  Places places() { return {entries_.data(), mask_, part_bits_, slot_shift_}; }
  Entry* find(Hash hash) { return places().find(hash); }

  // A group of one input: a loop begins with the identity, which makes 0 of a first value −0.
  Entry group_of(Hash hash, const Value& value) const {
    Entry group{};
    group.hash = hash;
    group.value = monoid_(monoid_.identity(), value);
    if constexpr (Entry::kCounts) {
      group.count = 1;
    }
    return group;
  }

  void combine(Entry& into, const Entry& group) const {
    into.value = monoid_(into.value, group.value);
    if constexpr (Entry::kCounts) {
      into.count += group.count;
    }
  }

  [[gnu::noinline]] bool insert(Entry* entry, const Entry& group) {
    if (2 * (groups_ + 1) > slots_) {
      if (slots_ >= most_slots_) {
        return false;
      }
      grow();
      entry = find(group.hash);
    }
    *entry = group;
    ++groups_;
    return true;
  }

  void grow() {
    std::vector<Entry> before(2 * slots_, no_entry());
    before.swap(entries_);
    set_slots(2 * slots_);
    for (const Entry& entry : before) {
      if (entry.hash != kNoHash<Hash>) {
        *find(entry.hash) = entry;
      }
    }
  }

  M monoid_;
  size_t most_slots_;
  size_t slots_ = 0;
  size_t mask_ = 0;
  int slot_shift_ = 0;
  int part_bits_ = 0;
  size_t groups_ = 0;  // groups but for the one of kNoHash
  bool has_no_hash_ = false;
  Entry no_hash_{};  // the group whose hash marks empty places
  std::vector<Entry> entries_;
};

}  // namespace presort::cpu
