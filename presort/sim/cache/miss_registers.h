// A pool of registers (fill buffers, queue entries, page walkers) that requests hold for a while.
// Requests come in program order, not in order of time, so a request takes the register that fell
// free last before its time; registers that are free for longer stay for requests of earlier times.
#pragma once

#include <cstddef>

#include "presort/sim/cache/sorted_times.h"

namespace presort::inline v0::sim {

class MissRegisters {
 public:
  // A pool of `count` free registers.
  // Requires: count >= 1
  explicit MissRegisters(int count) : free_at_(static_cast<size_t>(count)) {}

  // Takes a register for a request at time `t`; returns when the request starts: at t, or when a
  // register falls free. Every take() is followed by a hold(); at most `count` may be between the
  // two.
  double take(double t) {
    if (free_at_.latest() <= t) {
      free_at_.remove_latest();
      return t;
    }
    if (const double start = free_at_.earliest(); start > t) {
      free_at_.remove_earliest();
      return start;
    }
    free_at_.remove_latest_by(t);
    return t;
  }

  // Holds the register that was taken last until time `until`.
  void hold(double until) { free_at_.insert(until); }

  // True if a request of time `t` would start at once.
  bool available(double t) const { return free_at_.earliest() <= t; }

 private:
  SortedTimes free_at_;  // times at which the miss registers fall free, cycles
};

}  // namespace presort::sim
