// Rooms: in a partition in any order each digit may have a room of limited size instead of an exact
// place. A tile marks the digits whose inputs found no room, and leaves these inputs out.
#pragma once

#include <cstdint>

#include "presort/gpu/host/host_device.h"

namespace presort::inline v0::gpu {

// The arrays of a partition into rooms, in device memory.
struct PartitionRooms {
  const uint64_t* begins = nullptr;       // begins[digits + 1]: first place of each digit's room
  unsigned long long* cursors = nullptr;  // cursors[digits]: next free place in each digit's room
  // fills[digits]: the digit's room is filled without a gap up to this place
  unsigned long long* fills = nullptr;
  unsigned long long* left_out = nullptr;  // number of inputs that found no room
  // marks[tiles · mark_words(digits)]: bit d is set if digit d of a tile found no room
  uint32_t* marks = nullptr;
  uint64_t spill = 0;  // place that left-out inputs are written to; nobody reads it
};

PRESORT_HOST_DEVICE constexpr uint32_t mark_words(uint32_t digits) {
  return (digits + 31) / 32;
}

}  // namespace presort::gpu
