// Replays a sequence that is short enough to be run through the caches from its first item to its
// last: all items change the simulated state, some are timed. So no state has to be guessed,
// whatever the order of the labels.
// Source: Wunderlich et al., "SMARTS: accelerating microarchitecture simulation via rigorous
//         statistical sampling", ISCA 2003 (functional warming, systematic sampling).
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/core/base/random.h"
#include "presort/predict/sampling/slices.h"

namespace presort::inline v0::predict {

// How a range of consecutive items of a phase is simulated.
enum class Step {
  warm,   // untimed, but the items change caches and TLBs
  lead,   // timed but not counted, to fill the core's pipeline
  time,   // timed and counted as a whole slice
  piece,  // timed and counted in the slice that is already open
};

// A schedule of timed items: the first items, when all caches are cold, and one slice at a random
// place in each of `slices` equal periods. Slices, and the items that lead in, begin with a block.
class ReplaySchedule {
 public:
  // Makes a schedule of `slices` slices in n items.
  // Requires: n / slices >= kLeadItems + 2 * kSliceItems
  ReplaySchedule(uint64_t n, uint64_t slices, uint64_t seed)
      : n_(n), slices_(slices), period_(begin_of_block((n - kSliceItems) / slices)), seed_(seed) {}

  // The schedule in which all items, however many there are, form one slice.
  static ReplaySchedule everything() {
    ReplaySchedule schedule(~uint64_t{0}, 1, 0);
    schedule.head_ = ~uint64_t{0};
    return schedule;
  }

  struct Stretch {
    uint64_t first = 0;
    uint64_t last = 0;
    Step step = Step::warm;
    bool opens = false;   // true: a slice begins with the first of these items
    bool closes = false;  // true: a slice ends with the last of these items
    double weight = 0;    // weight of the stratum that begins with these items; 0: none begins
  };

  // The longest range of items from `first` on, not beyond `last`, that is simulated in one way.
  // Requires: first < last
  Stretch next(uint64_t first, uint64_t last) const {
    if (first < head_) {
      return {first, std::min(last, head_), Step::piece, first == 0, last >= head_, head_weight()};
    }
    const uint64_t k = (first - head_) / period_;
    if (k >= slices_) {
      return {first, last};
    }
    const uint64_t start = slice(k);
    if (first < start - kLeadItems) {
      return {first, std::min(last, start - kLeadItems)};
    }
    if (first < start) {
      return {first, std::min(last, start), Step::lead};
    }
    const uint64_t end = start + kSliceItems;
    if (first < end) {
      const double weight = k == 0 ? 1 - head_weight() : 0;
      return {first, std::min(last, end), Step::piece, first == start, last >= end, weight};
    }
    return {first, std::min(last, head_ + (k + 1) * period_)};
  }

 private:
  double head_weight() const { return static_cast<double>(head_) / static_cast<double>(n_); }
  uint64_t slice(uint64_t k) const {
    const uint64_t places = (period_ - kLeadItems - kSliceItems) / kBlockItems + 1;
    const uint64_t place = bounded(random_u64(seed_, k), places);
    return head_ + k * period_ + kLeadItems + place * kBlockItems;
  }

  static_assert(kSliceItems % kBlockItems == 0 && kLeadItems % kBlockItems == 0);

  uint64_t n_;
  uint64_t slices_;
  uint64_t period_;
  uint64_t seed_;
  uint64_t head_ = kSliceItems;
};

}  // namespace presort::predict
