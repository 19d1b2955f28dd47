// The digit of a label that one pass of a pre-sort orders by.
#pragma once

#include <cstdint>

#include "presort/gpu/host/host_device.h"

namespace presort::inline v0::gpu {

inline constexpr int kMaxDigitBits = 11;  // most label bits of one pass
inline constexpr int kMaxPartBits = 14;  // most label bits of all passes of a pre-sort in any order
inline constexpr int kMaxPassesOfAnyOrder = 2;

struct Digit {
  int shift = 0;
  int bits = 0;
  PRESORT_HOST_DEVICE uint32_t count() const { return 1u << bits; }
  template <class Label>
  PRESORT_HOST_DEVICE uint32_t of(Label label) const {
    return static_cast<uint32_t>(label >> shift) & (count() - 1);
  }
};

}  // namespace presort::gpu
