// Checks where the arrays of an operation stand, before anything is launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

#include "presort/core/error.h"

namespace presort::inline v0::gpu {

struct PlacedArray {
  const char* name;
  uintptr_t first;   // address of an array's first byte
  size_t bytes;      // length of the array, bytes; 0: an empty array, which overlaps nothing
  size_t alignment;  // alignment of an element's type, bytes
  bool is_written;
};

// Describes an array for check_arrays: an array of constants is only read, any other one is
// written.
template <class T>
PlacedArray placed_array(const char* name, std::span<T> array) {
  return {name, reinterpret_cast<uintptr_t>(array.data()), array.size_bytes(), alignof(T),
          !std::is_const_v<T>};
}

inline bool have_bytes_in_common(const PlacedArray& a, const PlacedArray& b) {
  if (a.bytes == 0 || b.bytes == 0) {
    return false;
  }
  return a.first <= b.first ? b.first - a.first < a.bytes : a.first - b.first < b.bytes;
}

// Checks where arrays stand in memory. Errors: SpanError when an array is not aligned as its type
// requires, or an array that is written
//         shares bytes with another one
inline void check_arrays(std::initializer_list<PlacedArray> arrays) {
  for (const PlacedArray* a = arrays.begin(); a != arrays.end(); ++a) {
    if (a->bytes > 0 && a->first % a->alignment != 0) {
      throw SpanError(std::string(a->name) + ": found an address that is " +
                      std::to_string(a->first % a->alignment) +
                      " bytes above a multiple of the alignment of its elements, " +
                      std::to_string(a->alignment) + " bytes; accepted: 0");
    }
    for (const PlacedArray* b = arrays.begin(); b != a; ++b) {
      if ((a->is_written || b->is_written) && have_bytes_in_common(*a, *b)) {
        throw SpanError(std::string(b->name) + " and " + a->name +
                        " overlap, and are not both only read");
      }
    }
  }
}

// Checks that two arrays have the same length. Errors: PlanError with both lengths
inline void check_lengths(const char* name, size_t found, const char* other, size_t accepted) {
  if (found != accepted) {
    throw PlanError(std::string(name) + ": found " + std::to_string(found) +
                    ", accepted: " + std::to_string(accepted) + ", as many as " + other);
  }
}

}  // namespace presort::gpu
