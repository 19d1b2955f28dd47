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
  uintptr_t first;   // address of a span's first byte
  size_t bytes;      // length of the span, bytes; 0: an empty array, which overlaps nothing
  size_t alignment;  // alignment of an element's type, bytes
  bool is_written;
};

// Describes a span for check_spans: a span of constants is only read, any other is written.
template <class T>
PlacedSpan placed(const char* name, std::span<T> span) {
  return {name, reinterpret_cast<uintptr_t>(span.data()), span.size_bytes(), alignof(T),
          !std::is_const_v<T>};
}

// Checks where arrays stand in memory. Errors: SpanError when a span's elements are not aligned as their
// type requires, or a span that
//         is written shares bytes with another one
void check_spans(std::initializer_list<PlacedSpan> spans);

}  // namespace presort::cpu
