// Stores that hit the first level keep those apart that miss it: on some cores, misses on either
// side of a hit hardly overlap. A run is the misses between two hits. A core that overlaps several
// runs looks beyond the hits only while the oldest store waits for a line that it has just asked
// for: then the runs behind it ask too, and when the lines of one run arrive, the next run asks,
// whatever hits stand between. Once the oldest has entered, nothing is asked for until the oldest
// misses again: a latency of L cycles and k - 1 hits a miss take L / runs + k - 1 cycles a miss.
// What counts as a hit is said when a store's address becomes known: one whose line a load has just
// asked for, as of a counter that is loaded, does not end a run, though it hits when its turn comes
// (docs/results/validation.md has the loop of counters).
//
// Source:   T. Downs, "What has your microcode done for you lately?", 2019: L1 hits in the store
//           buffer prevent overlapping of misses on either side (Haswell; Skylake with some
//           microcodes, not with others).
// Measured: docs/results/loops.md, "Stores of which some miss", "Stores of a partition"
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace presort::inline v0::sim {

class StoreRuns {
 public:
  // `most`: runs of store misses that may overlap; 0: no limit.
  explicit StoreRuns(int most)
      : limits_(most > 0), ahead_(static_cast<size_t>(std::max(1, most)) - 1, 0.0) {}

  bool limits() const { return limits_; }

  // Time from which on the next store may ask for its line, if it misses. The store retired at `retired`;
  // all stores before it have entered the first level at `entered`.
  double turn(double retired, double entered) const {
    if (!limits_) {
      return retired;
    }
    return std::max(retired, in_run_ ? asked_ : joins(retired) ? free_from() : entered);
  }

  // Notes that the next store hits. Hits and misses are noted in program order.
  void hit() { in_run_ = false; }

  // Notes that the next store misses; it asked for its line at `turn`, and the line arrives at
  // `there`.
  void miss(double retired, double turn, double there) {
    if (in_run_) {
      if (current_ < ahead_.size()) {
        ahead_[current_] = std::max(ahead_[current_], there);
      }
      return;
    }
    in_run_ = true;
    if (joins(retired)) {
      asked_ = free_from();
      current_ = first_free();
      ahead_[current_] = there;
    } else {
      asked_ = turn;
      until_ = there;
      std::ranges::fill(ahead_, turn);
      current_ = ahead_.size();
    }
  }

 private:
  size_t first_free() const {
    return static_cast<size_t>(std::ranges::min_element(ahead_) - ahead_.begin());
  }

  // Time, cycles, from which on one more run of store misses may ask for its lines.
  double free_from() const {
    const size_t free = first_free();
    return free < ahead_.size() ? ahead_[free] : std::numeric_limits<double>::infinity();
  }

  // True if a run of misses whose first store retired at `retired` asks for its lines while the
  // oldest store waits.
  bool joins(double retired) const { return std::max(retired, free_from()) < until_; }

  bool limits_;
  std::vector<double> ahead_;  // arrival time of the lines, for each run that has asked ahead
  // Index in ahead_ of the run of the latest miss; ahead_.size(): the oldest run
  size_t current_ = 0;
  double asked_ = 0;  // time from which on the run of the latest miss could ask for its lines
  double until_ = 0;  // time when the oldest store's line arrives: until then other runs may ask
  bool in_run_ = false;
};

}  // namespace presort::sim
