// Sums and products of sizes that stop at the largest 64-bit number instead of wrapping around.
// Code that asks for memory refuses such a size, as no memory has so many bytes.
// Units: none; all numbers are unsigned counts or bytes
// Errors: none. All are constant expressions
#pragma once

#include <cstdint>

namespace presort::inline v0 {

// Stands for any sum or product that is 2^64 - 1 or more.
inline constexpr uint64_t kUncountable = ~uint64_t{0};

constexpr uint64_t saturating_add(uint64_t a, uint64_t b) {
  return a > kUncountable - b ? kUncountable : a + b;
}

constexpr uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  return b != 0 && a > kUncountable / b ? kUncountable : a * b;
}

// The least multiple of `unit` that is `value` or more. Requires: unit > 0
constexpr uint64_t saturating_round_up(uint64_t value, uint64_t unit) {
  const uint64_t units = value / unit + (value % unit == 0 ? 0 : 1);
  return saturating_multiply(units, unit);
}

// 2^exponent, or kUncountable from exponent 64 on. Requires: exponent >= 0
constexpr uint64_t saturating_power_of_two(int exponent) {
  return exponent >= 64 ? kUncountable : uint64_t{1} << exponent;
}

}  // namespace presort
