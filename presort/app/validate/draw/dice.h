// Random choices from one stream of random numbers: the same seed gives the same choices on every
// machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "presort/core/base/random.h"

namespace presort::inline v0::app {

class Dice {
 public:
  explicit Dice(uint64_t seed) : seed_(seed) {}

  uint64_t word() { return random_u64(seed_, counter_++); }
  uint64_t below(uint64_t bound) { return bounded(word(), bound); }
  bool chance(double part) { return unit_double(word()) < part; }
  double between(double low, double high) { return low + (high - low) * unit_double(word()); }

  // A random whole number from 2^low to 2^high, its logarithm evenly distributed.
  uint64_t size(double low, double high) {
    return static_cast<uint64_t>(std::exp2(between(low, high)));
  }

  // A random element of a list.
  // Requires: the list is not empty
  template <class T>
  T pick(std::span<const T> values) {
    return values[below(values.size())];
  }
  template <class T, size_t N>
  T pick(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  uint64_t seed_;
  uint64_t counter_ = 0;
};

}  // namespace presort::app
