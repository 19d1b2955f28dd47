// A set-associative array of tags: which lines (or pages) a level holds, and which it gives up.
// Knows nothing of levels or time. Addresses are in units: a unit is what moves at a time, a sector
// of a line, and the whole line where lines have no sectors.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/random.h"
#include "core/replacement.h"

namespace presort::sim {

class CacheArray {
 public:
  // sets need not be a power of two; `hashed` spreads lines over the sets by a hash.
  // Requires: sets >= 1, ways >= 1; sectors (of a line) a power of two up to kMaxSectors
  CacheArray(uint64_t sets, uint64_t ways, const Replacement& policy, bool hashed,
             uint64_t seed = 1, uint64_t sectors = 1);

  static constexpr uint64_t kMaxSectors = 16;

  enum Flag : uint8_t { kNone = 0, kDirty = 1, kPrefetched = 2 };

  struct Lookup {
    bool hit = false;
    bool first_use = false;  // of a unit that a prefetch brought in
  };

  // A line that was given up. Its units are `unit` + i for each bit i of `held`.
  struct Victim {
    uint64_t unit = 0;
    uint16_t held = 0;  // none: nothing was given up
    uint16_t dirty_units = 0;
    uint16_t unused_units = 0;  // a prefetch brought them in, and nothing used them

    bool valid() const { return held != 0; }
    bool dirty() const { return dirty_units != 0; }
  };

  // Looks `unit` up as a demand access: a hit is a use to the policy, a write makes it dirty.
  Lookup access(uint64_t unit, bool write) {
    uint64_t* set = set_of(unit);  // as if it were a line: with sectors, the engine shifts it
    const uint64_t tag = tag_of(unit);
    if ((set[0] & first_way_mask_) == tag) {  // nothing moves
      return use(set[0], write);
    }
    return engine_->access(*this, set, tag, write);
  }

  // Present, without touching recency.
  bool contains(uint64_t unit) const;
  bool contains_line(uint64_t unit) const { return way_of(unit) < ways_; }  // some sector of it

  // Brings `unit` in and returns what it pushed out: nothing if its line was there already.
  // Requires: not contains(unit)
  Victim insert(uint64_t unit, uint8_t flags) { return engine_->insert(*this, unit, flags); }

  // Takes `unit` out; returns it as a victim, not valid if it was absent.
  Victim remove(uint64_t unit);

  // Whether `unit` was here and dirty; it is clean then.
  bool clean(uint64_t unit);

  void prefetch_set(uint64_t unit) const { __builtin_prefetch(set_of(unit >> sector_shift_), 1); }

  uint64_t sets() const { return sets_; }
  uint64_t ways() const { return ways_; }
  uint64_t sectors() const { return uint64_t{1} << sector_shift_; }

 private:
  static constexpr int kFlagBits = 2;
  static constexpr uint64_t kTagMask = ~uint64_t{(1 << kFlagBits) - 1};

  struct Sectors {  // bits of the units of a line
    uint16_t held = 0;
    uint16_t dirty = 0;
    uint16_t prefetched = 0;
  };

  // The part that depends on the policy, compiled for each; a table of functions chosen once.
  class Engine {
   public:
    virtual ~Engine() = default;
    virtual bool hears_every_hit() const = 0;
    virtual Lookup access(CacheArray& array, uint64_t* set, uint64_t tag, bool write) = 0;
    virtual Victim insert(CacheArray& array, uint64_t unit, uint8_t flags) = 0;
    virtual void removed(CacheArray& array, uint64_t* set, uint64_t way) = 0;
  };
  template <class Policy, bool kSectored>
  class EngineOf;
  template <bool kSectored>
  static std::unique_ptr<Engine> make_engine(uint64_t sets, uint64_t ways,
                                             const Replacement& policy, uint64_t seed);

  static uint64_t tag_of(uint64_t line) { return (line + 1) << kFlagBits; }
  static Lookup use(uint64_t& entry, bool write) {
    const bool first_use = (entry & kPrefetched) != 0;
    entry = (entry & ~uint64_t{kPrefetched}) | (write ? kDirty : kNone);
    return {true, first_use};
  }
  static Victim victim_of(uint64_t entry) {
    return entry == 0 ? Victim{}
                      : Victim{(entry >> kFlagBits) - 1, 1, (entry & kDirty) != 0,
                               (entry & kPrefetched) != 0};
  }
  unsigned sector_bit(uint64_t unit) const {
    return 1U << (unit & ((uint64_t{1} << sector_shift_) - 1));
  }
  size_t way_of(uint64_t unit) const;  // of its line, or ways_
  // Where in tags_ the line of `unit` stands, or tags_.size().
  size_t find(uint64_t unit) const;

  uint64_t set_index(uint64_t line) const {
    if (mask_ != 0) {
      return line & mask_;
    }
    // The hash is multiplicative: bijective on the low bits, so consecutive lines spread evenly.
    return hashed_ ? bounded(line * 0x9e3779b97f4a7c15ULL, sets_) : line % sets_;
  }
  uint64_t* set_of(uint64_t line) { return tags_.data() + set_index(line) * ways_; }
  const uint64_t* set_of(uint64_t line) const { return tags_.data() + set_index(line) * ways_; }
  uint64_t number_of_set(const uint64_t* set) const {
    return static_cast<uint64_t>(set - tags_.data()) / ways_;
  }

  uint64_t sets_;
  uint64_t ways_;
  uint64_t mask_;  // sets - 1 if sets is a power of two and not hashed, else 0
  bool hashed_;
  uint8_t sector_shift_;  // units to lines
  // What a hit in the first way compares: the tag, or nothing where the policy must hear of it.
  uint64_t first_way_mask_;
  // (line + 1) << 2 | flags, 0 when empty; the ways as in policy.h. A line with sectors has its
  // flags in sectors_ instead, beside it.
  std::vector<uint64_t> tags_;
  std::vector<Sectors> sectors_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace presort::sim
