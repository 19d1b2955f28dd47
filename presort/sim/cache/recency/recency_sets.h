// Sets of lines in order of use: LRU replacement without ranks. A line that is used moves to the
// front of its set, one that comes in pushes out the last.
// Entries are those of ordered_set.h: a key and flags, 0 for an empty place.
#pragma once

#include <cstdint>

#include "presort/core/base/prefetch.h"
#include "presort/sim/cache/host_memory.h"
#include "presort/sim/cache/recency/ordered_set.h"
#include "presort/sim/cache/recency/set_functions.h"

namespace presort::inline v0::sim {

class RecencySets {
 public:
  // Makes empty sets, with the functions of instruction set `simd`.
  // Requires: 1 <= ways <= kMostOrderedWays; sets >= 1
  RecencySets(uint64_t sets, uint64_t ways, Simd simd = simd_in_use());

  uint64_t ways() const { return ways_; }
  size_t blocks() const { return blocks_; }
  uint64_t* set(uint64_t number) const { return entries_.get() + number * room_; }

  // Looks a key up in a set and makes its entry the most recent (as `use` of set_functions.h).
  // Checks the most recent entry before the others.
  uint64_t use(uint64_t number, uint64_t key, uint64_t cleared, uint64_t set_bits) {
    uint64_t* const entries = set(number);
    const uint64_t first = entries[0];
    if ((first & ~kEntryFlags) == key) {
      entries[0] = (first & ~cleared) | set_bits;
      return first;
    }
    return functions_->use(entries, blocks_, key, cleared, set_bits);
  }
  uint64_t insert(uint64_t number, uint64_t entry) {
    return functions_->insert(set(number), ways_, entry);
  }

  // The entry of a set with a given key, or null if there is none.
  uint64_t* find(uint64_t number, uint64_t key) const {
    uint64_t* const entries = set(number);
    const size_t place = functions_->find(entries, blocks_, key);
    return place == kNowhere ? nullptr : entries + place;
  }

  // Removes an entry that find() has returned.
  void remove(uint64_t number, const uint64_t* entry) {
    uint64_t* const entries = set(number);
    functions_->remove(entries, blocks_, static_cast<size_t>(entry - entries));
  }

  // Prefetches a set's memory on the host.
  void prefetch(uint64_t number) const {
    const uint64_t* const entries = set(number);
    for (uint64_t way = 0; way < ways_; way += kSetRoom) {
      prefetch_to_write(entries + way);
    }
  }

 private:
  uint64_t ways_;
  size_t blocks_;
  size_t room_;  // entries in memory from the start of one set to the start of the next
  const SetFunctions* functions_;
  HostArray<uint64_t> entries_;
};

}  // namespace presort::sim
