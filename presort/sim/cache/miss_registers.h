// A pool of registers (fill buffers, queue entries, page walkers) that requests hold for a while.
// Requests come in program order, not in order of time, so a request takes the register that fell
// free last before its time; registers that are free for longer stay for requests of earlier times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace presort::inline v0::sim {

class MissRegisters {
 public:
  // Requires: count >= 1
  explicit MissRegisters(int count) : free_at_(static_cast<size_t>(count), 0.0) {}

  // Takes a register for a request of time `t`; returns when it starts: t, or when a register falls
  // free. Every take is followed by a hold; at most `count` may be open at a time.
  double take(double t) {
    if (free_at_.back() <= t) {
      free_at_.pop_back();
      return t;
    }
    if (free_at_.front() > t) {
      const double start = free_at_.front();
      free_at_.erase(free_at_.begin());
      return start;
    }
    free_at_.erase(std::upper_bound(free_at_.begin(), free_at_.end(), t) - 1);
    return t;
  }

  // Holds the register last taken until `until`.
  void hold(double until) {
    auto place = free_at_.end();
    while (place != free_at_.begin() && *(place - 1) > until) {
      --place;
    }
    free_at_.insert(place, until);
  }

  // True if a request of time `t` would start at once.
  bool available(double t) const { return free_at_.front() <= t; }

 private:
  std::vector<double> free_at_;  // times at which registers fall free, ascending
};

}  // namespace presort::sim
