// A few times in ascending order, in a ring: taking the earliest and adding a late one, which is
// what requests in program order mostly do, move nothing.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace presort::inline v0::sim {

class SortedTimes {
 public:
  // Makes `count` times, all 0. There are never more than `count`.
  explicit SortedTimes(size_t count)
      : ring_(std::bit_ceil(count + 1), 0.0), mask_(ring_.size() - 1), count_(count) {}

  bool empty() const { return count_ == 0; }

  // The earliest of the times. All members but insert() require that at least one time is there.
  double earliest() const { return ring_[first_]; }
  double latest() const { return at(count_ - 1); }
  void remove_latest() { --count_; }
  void remove_earliest() {
    first_ = (first_ + 1) & mask_;
    --count_;
  }

  // Removes the latest time that is at most `t`. Requires: earliest() <= t < latest()
  void remove_latest_by(double t) {
    if (at(count_ / 2) <= t) {
      close_from_latest(t);
    } else {
      close_from_earliest(t);
    }
    --count_;
  }

  // Adds a time. Requires: fewer than `count` times are there
  void insert(double t) {
    size_t place = count_++;
    for (; place > 0 && at(place - 1) > t; --place) {
      at(place) = at(place - 1);
    }
    at(place) = t;
  }

 private:
  // Removes one time: moves the later ones one place towards the earliest, over it.
  void close_from_latest(double t) {
    size_t place = (first_ + count_ - 1) & mask_;
    double moved = ring_[place];
    for (;;) {
      place = (place - 1) & mask_;
      const double next = ring_[place];
      ring_[place] = moved;
      if (next <= t) {
        return;
      }
      moved = next;
    }
  }
  // Removes one time: moves the earlier ones one place towards the latest, over it.
  void close_from_earliest(double t) {
    size_t place = first_;
    double moved = ring_[place];
    for (;;) {
      place = (place + 1) & mask_;
      const double next = ring_[place];
      if (next > t) {
        break;
      }
      ring_[place] = moved;
      moved = next;
    }
    first_ = (first_ + 1) & mask_;
  }

  double& at(size_t i) { return ring_[(first_ + i) & mask_]; }
  double at(size_t i) const { return ring_[(first_ + i) & mask_]; }

  std::vector<double> ring_;  // the times; its length is a power of two
  size_t mask_;
  size_t count_;
  size_t first_ = 0;  // index in ring_ of the earliest time
};

}  // namespace presort::sim
