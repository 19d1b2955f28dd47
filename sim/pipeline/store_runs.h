// Stores that hit the first level keep those apart that miss it: on some cores, misses on either
// side of a hit hardly overlap. A run is the misses between two hits. The run that the oldest store
// stands at is on its way, and so many beside it: one that is looked ahead at until its lines are
// there, or until the stores before it have entered; then the next one, whatever hits stand
// between. Source: T. Downs, "What has your microcode done for you lately?", 2019: L1 hits in the
// store buffer prevent overlapping of misses on either side (Haswell; Skylake with some microcodes,
// not with others). Measured: docs/results/loops.md, "Stores of which some miss"
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace presort::sim {

class StoreRuns {
 public:
  // `most` on their way at a time; 0: no limit.
  explicit StoreRuns(int most)
      : limits_(most > 0), ahead_(static_cast<size_t>(std::max(1, most)) - 1) {}

  // From when on the next store may ask for its line, should it miss.
  double free_from() const {
    if (!limits_) {
      return 0;
    }
    return in_run_ ? asked_ : next_asked();
  }

  // The next store hits, and enters the first level at `t`. In order, like misses.
  void hit(double t) {
    latest_hit_ = t;
    in_run_ = false;
  }

  // The next store misses, and its line is there at `t`.
  void miss(double t) {
    if (!in_run_) {
      in_run_ = true;
      asked_ = next_asked();
      current_ = first_free();
      if (current_ < ahead_.size()) {
        ahead_[current_] = {.reached = latest_hit_, .there = t};
      }
    } else if (current_ < ahead_.size()) {
      ahead_[current_].there = std::max(ahead_[current_].there, t);
    }
  }

 private:
  struct Run {
    double reached = 0;  // the hits before it have entered
    double there = 0;    // all its lines are
    double passed() const { return std::min(reached, there); }
  };

  size_t first_free() const {
    const auto least = std::ranges::min_element(ahead_, {}, &Run::passed);
    return static_cast<size_t>(least - ahead_.begin());
  }

  double next_asked() const {
    const size_t free = first_free();
    const double ahead =
        free < ahead_.size() ? ahead_[free].passed() : std::numeric_limits<double>::infinity();
    return std::min(latest_hit_, std::max(asked_, ahead));
  }

  bool limits_;
  std::vector<Run> ahead_;  // looked ahead at
  size_t current_ = 0;      // of these, the one that the latest miss belongs to
  double asked_ = 0;        // when the latest run was free to ask
  double latest_hit_ = 0;
  bool in_run_ = false;
};

}  // namespace presort::sim
