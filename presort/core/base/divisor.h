// Division of 64-bit numbers by a divisor that is used many times, without the processor's
// division.
// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI
// 1994, figure 4.1.
#pragma once

#include <bit>
#include <cstdint>

#include "presort/core/base/wide.h"

namespace presort::inline v0 {

class Divisor {
 public:
  // Prepares division by `value`.
  // Requires: value >= 1
  explicit constexpr Divisor(uint64_t value)
      : value_(value),
        multiplier_(static_cast<uint64_t>(
            ((static_cast<Wide>(1) << 64) * ((static_cast<Wide>(1) << bits(value)) - value)) /
                value +
            1)),
        first_shift_(bits(value) > 0 ? 1 : 0),
        second_shift_(bits(value) > 0 ? bits(value) - 1 : 0) {}

  constexpr uint64_t value() const { return value_; }
  constexpr uint64_t quotient(uint64_t number) const {
    const auto high = static_cast<uint64_t>((static_cast<Wide>(multiplier_) * number) >> 64);
    return (high + ((number - high) >> first_shift_)) >> second_shift_;
  }
  constexpr uint64_t remainder(uint64_t number) const { return number - quotient(number) * value_; }

 private:
  // The least b with 2^b >= value (ceil(log2 value)).
  static constexpr int bits(uint64_t value) { return 64 - std::countl_zero(value - 1); }

  uint64_t value_;
  uint64_t multiplier_;
  int first_shift_;
  int second_shift_;
};

}  // namespace presort
