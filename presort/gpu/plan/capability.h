// Which devices the kernels run on. No CUDA types.
#pragma once

#include <string>

#include "presort/core/error.h"

namespace presort::inline v0::gpu {

// Checks a compute capability. Errors: EnvironmentError when a device of this compute capability is too
// old
inline void check_capability(int major, int minor) {
  constexpr int kOldest = 75;  // oldest compute capability, 7.5: kernels need its atomics and votes
  if (10 * major + minor < kOldest) {
    throw EnvironmentError("the CUDA device has compute capability " + std::to_string(major) + "." +
                           std::to_string(minor) + ", accepted: 7.5 or more");
  }
}

}  // namespace presort::gpu
