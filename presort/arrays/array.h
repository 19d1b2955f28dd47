// Arrays whose element type is known at run time, as C and Python hand them over.
#pragma once

#include <cstddef>

#include "presort/core/types.h"

namespace presort::inline v0::arrays {

// `length` elements in one piece that are only read. Aligned to their size.
struct Input {
  const void* data = nullptr;
  size_t length = 0;  // elements
  ScalarType type = ScalarType::u32;
};

// `length` elements in one piece that are read and written. Aligned to their size.
struct Output {
  void* data = nullptr;
  size_t length = 0;  // elements
  ScalarType type = ScalarType::u32;
};

}  // namespace presort::arrays
