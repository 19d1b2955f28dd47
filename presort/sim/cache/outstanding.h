// Tells whether at least a given number of requests are outstanding at a time. Requests come in
// program order, not in order of time.
#pragma once

#include <cstddef>

#include "presort/sim/cache/sorted_times.h"

namespace presort::inline v0::sim {

class Outstanding {
 public:
  // `count`: the number of outstanding requests that is asked about; 0: the answer is always no.
  explicit Outstanding(int count) : latest_(static_cast<size_t>(count)) {}

  // False if the answer is always no (`count` was 0).
  bool asks() const { return !latest_.empty(); }

  // Adds a request that is answered at time `until`, cycles.
  void add(double until) {
    if (!latest_.empty() && until > latest_.earliest()) {
      latest_.remove_earliest();
      latest_.insert(until);
    }
  }

  // True if at least `count` of the added requests have no answer yet at `t`.
  bool that_many(double t) const { return !latest_.empty() && latest_.earliest() > t; }

 private:
  SortedTimes latest_;  // when the requests that end last are answered, cycles
};

}  // namespace presort::sim
