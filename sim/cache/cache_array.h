// A set-associative array of tags: which lines (or pages) a level holds, and which it gives up.
// Knows nothing of levels, addresses below the line, or time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine.h"
#include "core/random.h"

namespace presort::sim {

class CacheArray {
 public:
  // sets need not be a power of two; `hashed` spreads lines over the sets by a hash.
  // Requires: sets >= 1, 1 <= ways <= 65535
  CacheArray(uint64_t sets, uint64_t ways, Replacement policy, bool hashed, uint64_t seed = 1);

  enum Flag : uint8_t { kNone = 0, kDirty = 1, kPrefetched = 2 };

  struct Lookup {
    bool hit = false;
    bool first_use = false;  // of a line that a prefetch brought in
  };

  struct Victim {
    bool valid = false;
    bool dirty = false;
    uint64_t line = 0;
  };

  // Looks `line` up as a demand access: a hit makes it most recently used, a write makes it dirty.
  Lookup access(uint64_t line, bool write) {
    uint64_t* set = set_of(line);
    const uint64_t tag = (line + 1) << kFlagBits;
    if ((set[0] & kTagMask) == tag) {  // most recently used: nothing moves
      const bool first_use = (set[0] & kPrefetched) != 0;
      set[0] = (set[0] & ~uint64_t{kPrefetched}) | (write ? kDirty : kNone);
      return {true, first_use};
    }
    return access_beyond_first(set, tag, write);
  }

  // Present, without touching recency.
  bool contains(uint64_t line) const;

  // Brings `line` in as most recently used and returns what it pushed out.
  // Requires: not contains(line)
  Victim insert(uint64_t line, uint8_t flags);

  // Takes `line` out; returns it as a victim, not valid if it was absent.
  Victim remove(uint64_t line);

  void prefetch_set(uint64_t line) const { __builtin_prefetch(set_of(line), 1); }

  uint64_t sets() const { return sets_; }
  uint64_t ways() const { return ways_; }

 private:
  static constexpr int kFlagBits = 2;
  static constexpr uint64_t kTagMask = ~uint64_t{(1 << kFlagBits) - 1};

  uint64_t set_index(uint64_t line) const {
    if (mask_ != 0) {
      return line & mask_;
    }
    // The hash is multiplicative: bijective on the low bits, so consecutive lines spread evenly.
    return hashed_ ? bounded(line * 0x9e3779b97f4a7c15ULL, sets_) : line % sets_;
  }
  uint64_t* set_of(uint64_t line) { return tags_.data() + set_index(line) * ways_; }
  const uint64_t* set_of(uint64_t line) const { return tags_.data() + set_index(line) * ways_; }
  Lookup access_beyond_first(uint64_t* set, uint64_t tag, bool write);

  uint64_t sets_;
  uint64_t ways_;
  uint64_t mask_;  // sets - 1 if sets is a power of two and not hashed, else 0
  Replacement policy_;
  bool hashed_;
  uint64_t random_state_;
  // (line + 1) << 2 | flags, 0 when empty. LRU: in order of use within a set, latest first.
  std::vector<uint64_t> tags_;
};

}  // namespace presort::sim
