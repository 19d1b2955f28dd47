// Sets of lines that stay in their ways. Each way has a tag word and a short tag (short_tags.h), all 0
// when it is empty. A set lies in as few lines of the host as hold it, its short tags first: most
// lookups of an absent line read one line of the host.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/base/checked.h"
#include "presort/core/base/prefetch.h"
#include "presort/sim/cache/host_memory.h"
#include "presort/sim/cache/short_tags.h"

namespace presort::inline v0::sim {

class TaggedSets {
 public:
  TaggedSets() = default;
  // Makes empty sets.
  // Requires: sets >= 1, ways >= 1
  // Errors:   std::bad_alloc
  TaggedSets(uint64_t sets, uint64_t ways)
      : short_count_(saturating_round_up(ways, kShortTagsAtATime)),
        room_(saturating_round_up(
            saturating_add(short_count_ * sizeof(uint16_t), saturating_multiply(ways, kTagBytes)),
            kHostLine)),
        memory_(static_cast<unsigned char*>(zeroed_host_memory(saturating_multiply(sets, room_)))) {
  }

  // The short tags of a set, and their number: that of the ways, rounded up to a multiple of
  // kShortTagsAtATime. Those behind the last way stay 0.
  uint16_t* short_tags(uint64_t set) const {
    return reinterpret_cast<uint16_t*>(memory_.get() + set * room_);
  }
  size_t short_count() const { return short_count_; }

  // The tag words of a set, one for each way.
  uint64_t* tags(uint64_t set) const {
    return reinterpret_cast<uint64_t*>(memory_.get() + set * room_ +
                                       short_count_ * sizeof(uint16_t));
  }

  // Prefetches a set on the host.
  void prefetch(uint64_t set) const {
    const unsigned char* const begin = memory_.get() + set * room_;
    for (size_t at = 0; at < room_; at += kHostLine) {
      prefetch_to_write(begin + at);
    }
  }

 private:
  static constexpr uint64_t kTagBytes = sizeof(uint64_t);

  size_t short_count_ = 0;
  size_t room_ = 0;  // bytes from the start of one set to the start of the next
  HostArray<unsigned char> memory_;
};

}  // namespace presort::sim
