// The error thrown when offsets do not describe consecutive segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "presort/core/error.h"

namespace presort::inline v0 {

struct OffsetError : InputError {
  OffsetError(size_t at_index, uint64_t found, uint64_t least, uint64_t most)
      : InputError("offset " + std::to_string(found) + " at index " + std::to_string(at_index) +
                   ", accepted: " + std::to_string(least) + " to " + std::to_string(most)),
        index(at_index),
        offset(found) {}
  size_t index;
  uint64_t offset;
};

}  // namespace presort
