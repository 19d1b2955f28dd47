// Steps through a reduction or scan of segments (cpu/phases/segmented.h) item by item, so that a
// simulation can time slices of it however long the segments are: the items of a segment are its
// values and its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "presort/predict/trace/tracing_memory.h"

namespace presort::inline v0::predict {

// The first segment that ends with item `item` or a later item. Counted over all segments, item k
// of segment s has number offsets[s] + s + k.
// Requires: item < offsets.back() + number of segments
template <class Offset>
size_t segment_of_item(std::span<const Offset> offsets, uint64_t item) {
  size_t low = 0;
  for (size_t high = offsets.size() - 1; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (static_cast<uint64_t>(offsets[middle + 1]) + middle + 1 > item) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Does for items [first, last) what the kernel does. A call that begins where the last one ended
// goes on within its segment; any other call opens the segment first.
template <class Phase, class Offset>
class SegmentItems {
 public:
  // Requires: offsets are those of the phase, and outlive this object
  SegmentItems(const Phase& phase, std::span<const Offset> offsets)
      : phase_(phase), offsets_(offsets) {}

  void step(uint64_t first, uint64_t last, TracingMemory& memory) const {
    if (!open_ || at_ != first) {
      seek(first, memory);
    }
    while (at_ < last) {
      if (!open_) {
        begin(memory);
      }
      const uint64_t items = static_cast<uint64_t>(offsets_[s_ + 1] - offsets_[s_]) + 1;
      const uint64_t to = std::min(items, k_ + (last - at_));
      phase_.some(*open_, k_, to, sum_, memory);
      at_ += to - k_;
      k_ = to;
      if (to == items) {
        phase_.end(s_, sum_, memory);
        ++s_;
        k_ = 0;
        open_.reset();
      }
    }
  }

 private:
  void seek(uint64_t item, TracingMemory& memory) const {
    at_ = item;
    s_ = segment_of_item(offsets_, item);
    k_ = item - offsets_[s_] - s_;
    if (k_ > 0) {
      begin(memory);
    } else {
      open_.reset();
    }
  }
  void begin(TracingMemory& memory) const {
    open_ = phase_.begin(s_, memory);
    sum_ = phase_.identity();
  }

  Phase phase_;
  std::span<const Offset> offsets_;
  // at_: number of the current item; s_: its segment; k_: its number in the segment. Mutable:
  // callers step a phase through a const reference.
  mutable uint64_t at_ = 0;
  mutable size_t s_ = 0;
  mutable size_t k_ = 0;
  // The open segment of the last call; none of its sum is carried to the next segment
  mutable std::optional<typename Phase::Segment> open_;
  mutable typename Phase::Sum sum_{};
};

// A phase in which each call hands a value, such as a partial sum, to the next call.
template <class Phase, class Carried>
struct CarryingPhase {
  Phase phase;
  mutable TracingMemory::Loaded<Carried> carried{};

  void step(uint64_t first, uint64_t last, TracingMemory& memory) const {
    phase.step(first, last, carried, memory);
  }
};

}  // namespace presort::predict
