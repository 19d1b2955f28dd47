// Random choices of a test case as a pure function of the case's number, many from one number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/base/random.h"
#include "tests/core/machine/policy_names.h"

namespace presort::inline v0::test {

class Dice {
 public:
  explicit Dice(uint64_t seed) : seed_(seed) {}
  uint64_t below(uint64_t bound) { return bounded(random_u64(seed_, count_++), bound); }
  uint64_t between(uint64_t low, uint64_t high) { return low + below(high - low + 1); }
  bool one_in(uint64_t n) { return below(n) == 0; }

 private:
  uint64_t seed_;
  uint64_t count_ = 0;
};

inline std::string any_policy(Dice& dice) {
  static const std::vector<std::string> names = all_policy_names();
  const uint64_t plain = 9;
  const uint64_t family = dice.below(plain + 1);
  return names[family < plain ? family : dice.between(plain, names.size() - 1)];
}

}  // namespace presort::test
