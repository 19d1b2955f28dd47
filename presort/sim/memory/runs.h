// Runs of requests that follow on from each other, several at a time: a request that begins where a
// recent run ended lengthens it. The runs last lengthened are kept, in sets of 8 by the hash of
// their end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "presort/core/base/random.h"

namespace presort::inline v0::sim {

class Runs {
 public:
  // Keeps up to `kept` runs. Requires: kept is a multiple of 8
  explicit Runs(uint64_t kept) : sets_(kept / kWays), runs_(kept) {}

  // Notes a request for pages [first, first + count). Returns how many pages of the same run came
  // before.
  uint64_t extend(uint64_t first, uint64_t count) {
    uint64_t length = 0;
    for (Run *run = set_of(first), *end = run + kWays; run < end; ++run) {
      if (run->end == first && run->length > 0) {
        length = run->length;
        *run = {};
      }
    }
    Run* set = set_of(first + count);
    std::copy_backward(set, set + kWays - 1, set + kWays);
    *set = {first + count, length + count};
    return length;
  }

  // Length, in pages, of the run that ends just before `page`; 0 if none is known.
  uint64_t length_before(uint64_t page) const {
    const Run* set = runs_.data() + place(page);
    for (uint64_t way = 0; way < kWays; ++way) {
      if (set[way].end == page && set[way].length > 0) {
        return set[way].length;
      }
    }
    return 0;
  }

 private:
  struct Run {
    uint64_t end = 0;  // number of the page after the run's last one
    uint64_t length = 0;
  };
  static constexpr uint64_t kWays = 8;
  uint64_t place(uint64_t end) const { return bounded(mix64(end), sets_) * kWays; }
  Run* set_of(uint64_t end) { return runs_.data() + place(end); }

  uint64_t sets_;
  std::vector<Run> runs_;  // runs by set, in each set the latest first
};

}  // namespace presort::sim
