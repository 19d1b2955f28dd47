// Arrays whose element type is only known at run time, as C and Python programs hand them over.
#pragma once

#include <cstddef>

#include "presort/core/types.h"

namespace presort::inline v0::arrays {

// A read-only array of `length` contiguous elements, aligned to an element's size.
struct Input {
  const void* data = nullptr;
  size_t length = 0;  // elements
  ScalarType type = ScalarType::u32;
};

// A writable array of `length` contiguous elements, aligned to an element's size.
struct Output {
  void* data = nullptr;
  size_t length = 0;  // elements
  ScalarType type = ScalarType::u32;
};

}  // namespace presort::arrays
