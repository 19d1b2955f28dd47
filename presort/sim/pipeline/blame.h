// The waits of one operation of a core, each with the part of the machine that caused it, and their
// sums over all operations (the time stack).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace presort::inline v0::sim {

// Terms of the time stack; those of the cache levels follow: kFirstLevel + level.
enum Term : uint8_t {
  kCore,
  kMemoryLatency,
  kMemoryBandwidth,
  kTlb,
  kBranches,
  kStores,
  kDependence,
  kStorage,  // waiting for a page fault; only with a block device
  kFirstLevel,
};

// The waits of one operation, one after the other. A segment lasts until its `end`.
class Course {
 public:
  void clear() { count_ = 0; }

  // Adds a wait that ends at `end` (cycles); if that is no later than the end before, it is
  // dropped.
  void wait_until(double end, uint8_t term) {
    if (count_ < segments_.size()) {
      segments_[count_++] = {end, term};
    } else {
      segments_.back() = {end, term};
    }
  }

  size_t mark() const { return count_; }
  void blame(size_t mark, uint8_t term) {
    if (mark < count_) {
      segments_[mark].term = term;
    }
  }

  // Adds to `stack` the part of (from, to] that each segment explains; the rest goes to `last`.
  void charge(double from, double to, uint8_t last, std::vector<double>& stack) const {
    if (from < to) {
      charge_segments(from, to, last, stack);
    }
  }

 private:
  void charge_segments(double from, double to, uint8_t last, std::vector<double>& stack) const {
    for (size_t i = 0; i < count_ && from < to; ++i) {
      const double end = segments_[i].end < to ? segments_[i].end : to;
      if (end > from) {
        stack[segments_[i].term] += end - from;
        from = end;
      }
    }
    if (from < to) {
      stack[last] += to - from;
    }
  }

  struct Segment {
    double end;
    uint8_t term;
  };
  std::array<Segment, 24> segments_;  // segments of the course; only the first count_ are in use
  size_t count_ = 0;
};

}  // namespace presort::sim
