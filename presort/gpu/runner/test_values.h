// Values of the runs that the command times and checks. No CUDA types.
#pragma once

#include <cstdint>
#include <span>

#include "presort/core/base/random.h"

namespace presort::inline v0::gpu {

// Value number i: a random whole number from -3 to 3, of which unsigned types have the remainder.
// Sums of 2^30 of them, which float holds exactly, are the same in any order.
template <class Value>
Value test_value(uint64_t i) {
  constexpr uint64_t kSeed = 0x9e3779b97f4a7c15u;  // not that of labels, which is 1 by default
  constexpr uint64_t kValues = 7;
  return static_cast<Value>(static_cast<int>(bounded(random_u64(kSeed, i), kValues)) - 3);
}

// The later of two values that is not 0: the operator of a multireduceInOrder, which does not
// commute.
template <class Value>
struct LaterNotZero {
  static constexpr bool is_commutative = false;
  constexpr Value identity() const { return Value{}; }
  constexpr Value operator()(const Value& a, const Value& b) const { return b == Value{} ? a : b; }
};

template <class Value>
void fill_test_values(std::span<Value> values) {
  for (uint64_t i = 0; i < values.size(); ++i) {
    values[i] = test_value<Value>(i);
  }
}

}  // namespace presort::gpu
