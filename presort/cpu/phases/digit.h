// A digit: some consecutive bits of a label, which tell the part that the label belongs to.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "presort/core/base/checked.h"

namespace presort::inline v0::cpu {

struct Digit {
  int shift;      // number of bits of a label below the digit
  uint64_t mask;  // largest digit: number of digits - 1

  constexpr int bits() const { return static_cast<int>(std::bit_width(mask)); }
  constexpr size_t count() const { return static_cast<size_t>(saturating_add(mask, 1)); }

  template <class Label>
  constexpr size_t operator()(Label label) const {
    return static_cast<size_t>((label >> shift) & static_cast<Label>(mask));
  }

  // The digit of a label as a 32-bit number, for arrays of digits.
  template <class Label>
  constexpr uint32_t narrow(Label label) const {
    return static_cast<uint32_t>((label >> shift) & static_cast<Label>(mask));
  }
};

// The digit of `bits` bits above a label's lowest `shift` bits. Requires: 0 <= shift, shift + bits <=
// bits of the label type. Kernels take digits of fewer than 32 bits; sizes of scratch are computed for up
// to 64, and refused as too large.
constexpr Digit make_digit(int shift, int bits) {
  return {shift, bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1};
}

}  // namespace presort::cpu
