// A pool of registers (fill buffers, queue entries, page walkers) that requests hold for a while.
// Requests come in program order, not in order of time, so a request takes the register that fell
// free last before it: those free for longer stay for requests of earlier times.
#pragma once

#include <vector>

namespace presort::sim {

class MissRegisters {
 public:
  // Requires: count >= 1
  explicit MissRegisters(int count) : free_at_(static_cast<size_t>(count), 0.0) {}

  // The register that a request of time `t` gets.
  size_t choose(double t) const {
    size_t best = 0;
    size_t earliest = 0;
    bool found = false;
    for (size_t i = 0; i < free_at_.size(); ++i) {
      if (free_at_[i] <= t && (!found || free_at_[i] > free_at_[best])) {
        best = i;
        found = true;
      }
      if (free_at_[i] < free_at_[earliest]) {
        earliest = i;
      }
    }
    return found ? best : earliest;
  }

  // When it starts: t, or when the register falls free.
  double start(size_t index, double t) const { return free_at_[index] > t ? free_at_[index] : t; }

  void hold(size_t index, double until) { free_at_[index] = until; }

  // Whether a request of time `t` would start at once.
  bool available(double t) const {
    for (const double free_at : free_at_) {
      if (free_at <= t) {
        return true;
      }
    }
    return false;
  }

 private:
  std::vector<double> free_at_;
};

}  // namespace presort::sim
