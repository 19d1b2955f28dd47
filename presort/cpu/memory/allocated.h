// Allocates small arrays, such as one element for each thread.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include "presort/core/error.h"

namespace presort::inline v0::cpu {

// Allocates a vector of `count` copies of a value. Errors: EnvironmentError when there is no memory for it
template <class T>
std::vector<T> allocated(size_t count, const T& value = T{}) {
  try {
    return std::vector<T>(count, value);
  } catch (const std::bad_alloc&) {
    throw EnvironmentError("no memory for " + std::to_string(count * sizeof(T)) +
                           " bytes, what the threads of a plan keep");
  }
}

}  // namespace presort::cpu
