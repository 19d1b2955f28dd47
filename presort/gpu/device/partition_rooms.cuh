// A partition in any order writes each digit to a room of its own, which need not be large enough:
// a tile whose inputs of a digit find none marks them, and leaves them out.
#pragma once

#include <cstdint>

#include "presort/gpu/host/host_device.h"

namespace presort::inline v0::gpu {

// What a partition into rooms leaves behind, in device memory.
struct PartitionRooms {
  const uint64_t* begins = nullptr;        // [digits + 1]: of the rooms
  unsigned long long* cursors = nullptr;   // [digits]
  unsigned long long* fills = nullptr;     // [digits]: before which a room has no gap
  unsigned long long* left_out = nullptr;  // how many inputs are
  uint32_t* marks = nullptr;               // [tiles · mark_words(digits)], a bit for each digit
  uint64_t spill = 0;  // where a tile writes what is left out, for nobody to read
};

PRESORT_HOST_DEVICE constexpr uint32_t mark_words(uint32_t digits) {
  return (digits + 31) / 32;
}

}  // namespace presort::gpu
