// Tells whether at least a given number of requests are outstanding. Requests come in program
// order, not in order of time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace presort::inline v0::sim {

class Outstanding {
 public:
  // `count`: the number to ask about; 0: that_many() is never true.
  explicit Outstanding(int count) : latest_(static_cast<size_t>(count), 0.0) {}

  // Adds a request that has its answer at `until`.
  void add(double until) {
    if (!latest_.empty() && until > latest_.front()) {
      const auto place = std::upper_bound(latest_.begin(), latest_.end(), until);
      std::move(latest_.begin() + 1, place, latest_.begin());
      *(place - 1) = until;
    }
  }

  // True if at least `count` of the added requests have no answer yet at `t`.
  bool that_many(double t) const { return !latest_.empty() && latest_.front() > t; }

 private:
  std::vector<double> latest_;  // the latest ends of requests, ascending
};

}  // namespace presort::sim
