// Numbers in [0, 1), evenly spread and in irregular order. Of any 64 consecutive numbers (from a
// multiple of 64 on), one is in each sixty-fourth of the interval, so that few random draws have
// the right proportions.
#pragma once

#include <cstdint>

#include "presort/core/base/random.h"

namespace presort::inline v0::predict {

class Draw {
 public:
  double operator()() {
    const uint64_t i = count_++;
    if (i % kStrata == 0) {
      order_ = random_u64(seed_, i / kStrata);
    }
    // The multiplication by an odd factor and the square term permute the 2^6 numbers without
    // forming a lattice.
    const uint64_t k = i % kStrata;
    const uint64_t place =
        (k * (order_ | 1) + k * k * 2 * (order_ >> 20) + (order_ >> 40)) % kStrata;
    return (static_cast<double>(place) + unit_double(order_ * (2 * k + 1))) / kStrata;
  }

  void restart(uint64_t seed) {
    seed_ = seed;
    count_ = 0;
  }

 private:
  static constexpr uint64_t kStrata = 64;
  uint64_t seed_ = 1;
  uint64_t count_ = 0;
  uint64_t order_ = 0;
};

}  // namespace presort::predict
