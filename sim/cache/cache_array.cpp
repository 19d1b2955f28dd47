#include "sim/cache/cache_array.h"

#include <bit>
#include <cstring>

#include "sim/cache/find_tag.h"

namespace presort::sim {

CacheArray::CacheArray(uint64_t sets, uint64_t ways, Replacement policy, bool hashed, uint64_t seed)
    : sets_(sets),
      ways_(ways),
      mask_(std::has_single_bit(sets) && !hashed ? sets - 1 : 0),
      policy_(policy),
      hashed_(hashed),
      random_state_(seed),
      tags_(sets * ways, 0) {}

CacheArray::Lookup CacheArray::access_beyond_first(uint64_t* set, uint64_t tag, bool write) {
  const size_t way = find_tag(set, 1, ways_, kTagMask, tag);
  if (way >= ways_) {
    return {};
  }
  const uint64_t entry = set[way];
  const uint64_t used = (entry & ~uint64_t{kPrefetched}) | (write ? kDirty : kNone);
  if (policy_ == Replacement::lru) {
    std::memmove(set + 1, set, way * sizeof(uint64_t));
    set[0] = used;
  } else {
    set[way] = used;
  }
  return {true, (entry & kPrefetched) != 0};
}

bool CacheArray::contains(uint64_t line) const {
  return find_tag(set_of(line), 0, ways_, kTagMask, (line + 1) << kFlagBits) < ways_;
}

CacheArray::Victim CacheArray::insert(uint64_t line, uint8_t flags) {
  uint64_t* set = set_of(line);
  uint64_t way = ways_ - 1;
  if (policy_ == Replacement::random) {
    // Empty ways first; they fill from the front, so the last one tells whether any is left.
    if (set[way] == 0) {
      way = 0;
      while (set[way] != 0) {
        ++way;
      }
    } else {
      random_state_ = random_state_ * 6364136223846793005ULL + 1442695040888963407ULL;
      way = bounded(random_state_, ways_);
    }
  }
  const uint64_t old = set[way];
  const uint64_t entry = (line + 1) << kFlagBits | flags;
  if (policy_ == Replacement::lru) {
    std::memmove(set + 1, set, way * sizeof(uint64_t));
    set[0] = entry;
  } else {
    set[way] = entry;
  }
  if (old == 0) {
    return {};
  }
  return {true, (old & kDirty) != 0, (old >> kFlagBits) - 1};
}

CacheArray::Victim CacheArray::remove(uint64_t line) {
  uint64_t* set = set_of(line);
  const uint64_t tag = (line + 1) << kFlagBits;
  const size_t way = find_tag(set, 0, ways_, kTagMask, tag);
  if (way >= ways_) {
    return {};
  }
  const Victim victim{true, (set[way] & kDirty) != 0, line};
  // Close the gap so that empty ways stay at the end.
  std::memmove(set + way, set + way + 1, (ways_ - 1 - way) * sizeof(uint64_t));
  set[ways_ - 1] = 0;
  return victim;
}

}  // namespace presort::sim
