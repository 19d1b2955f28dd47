// Stores that hit the first level keep those apart that miss it: on some cores, misses on either
// side of a hit hardly overlap. A run is the misses between two hits; this says when the next store
// may ask for its line if only so many runs may be on their way at a time.
// Source: T. Downs, "What has your microcode done for you lately?", 2019: L1 hits in the store
// buffer prevent overlapping of misses on either side (Haswell; Skylake with some microcodes, not
// with others). Measured: docs/results/loops.md, "Stores of which some miss"
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace presort::sim {

class StoreRuns {
 public:
  // `most` 0: no limit.
  explicit StoreRuns(int most)
      : limits_(most > 0),
        before_(static_cast<size_t>(std::max(1, most)), 0.0),
        run_(before_.size()) {}

  // From when on the next store may ask for its line, should it miss: the hits before the oldest
  // of the runs that may be on their way with its own have entered.
  double free_from() const {
    if (!limits_) {
      return 0;
    }
    const uint64_t own = in_run_ ? run_ : run_ + 1;
    const uint64_t oldest = own + 1 - before_.size();
    return oldest > run_ ? latest_hit_ : before_[oldest % before_.size()];
  }

  // The next store hits, and enters the first level at `t`. In order, like misses.
  void hit(double t) {
    latest_hit_ = t;
    in_run_ = false;
  }

  // The next store misses.
  void miss() {
    if (!in_run_) {
      in_run_ = true;
      before_[++run_ % before_.size()] = latest_hit_;
    }
  }

 private:
  bool limits_;
  std::vector<double> before_;  // when the last hit before a run entered, of the latest runs
  uint64_t run_;                // number of the latest run
  double latest_hit_ = 0;
  bool in_run_ = false;
};

}  // namespace presort::sim
