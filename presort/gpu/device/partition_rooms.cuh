// A partition in any order writes each digit to a room of its own, which need not be large enough:
// a tile whose inputs of a digit find none marks them, and leaves them out.
#pragma once

#include <cstdint>

#include "presort/gpu/host/host_device.h"

namespace presort::inline v0::gpu {

// The arrays of a partition into rooms, in device memory.
struct PartitionRooms {
  const uint64_t* begins = nullptr;        // [digits + 1]: begin of each digit's room
  unsigned long long* cursors = nullptr;   // cursors[digits]: next place in each room
  unsigned long long* fills = nullptr;     // [digits]: place before which a room has no gap
  unsigned long long* left_out = nullptr;  // number of inputs that are left out
  uint32_t* marks = nullptr;               // marks [tiles · mark_words(digits)], a bit a digit
  uint64_t spill = 0;  // place where tiles write left-out inputs, which nobody reads
};

PRESORT_HOST_DEVICE constexpr uint32_t mark_words(uint32_t digits) {
  return (digits + 31) / 32;
}

}  // namespace presort::gpu
