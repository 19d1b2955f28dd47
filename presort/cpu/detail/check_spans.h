// Checks where the arrays of an operation stand, before it writes anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace presort::inline v0::cpu {

struct PlacedSpan {
  const char* name;
  uintptr_t first;   // address
  size_t bytes;      // 0: nowhere
  size_t alignment;  // of an element, bytes
  bool is_written;
};

// A span of constants is read, any other written.
template <class T>
PlacedSpan placed(const char* name, std::span<T> span) {
  return {name, reinterpret_cast<uintptr_t>(span.data()), span.size_bytes(), alignof(T),
          !std::is_const_v<T>};
}

// Errors: SpanError when elements of one are not aligned as their type is, or one that is written
//         and another one have bytes in common
void check_spans(std::initializer_list<PlacedSpan> spans);

}  // namespace presort::cpu
