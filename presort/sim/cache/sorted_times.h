// A few times in ascending order, in a ring: taking the earliest and adding a late one, which is
// what requests in program order mostly do, move nothing.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace presort::inline v0::sim {

class SortedTimes {
 public:
  // `count` times, all 0; there are never more.
  explicit SortedTimes(size_t count)
      : ring_(std::bit_ceil(count + 1), 0.0), mask_(ring_.size() - 1), count_(count) {}

  bool empty() const { return count_ == 0; }

  // Requires of all below but insert(): not empty
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
  // Moves the times after `t` one place towards the earliest, over the one to remove.
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
  // Moves the times before the one to remove one place towards the latest.
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

  std::vector<double> ring_;  // a power of two in length
  size_t mask_;
  size_t count_;
  size_t first_ = 0;  // place of the earliest time
};

}  // namespace presort::sim
