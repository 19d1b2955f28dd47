// The error thrown when flags do not say where segments begin, or what is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "presort/core/error.h"

namespace presort::inline v0 {

struct FlagError : InputError {
  FlagError(size_t at_index, uint64_t found, const std::string& accepted)
      : InputError("flag " + std::to_string(found) + " at index " + std::to_string(at_index) +
                   ", accepted: " + accepted),
        index(at_index),
        flag(found) {}
  size_t index;
  uint64_t flag;
};

}  // namespace presort
