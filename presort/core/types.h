// The element types of labels and values that the command can name. The kernels themselves are
// templates and take any trivially copyable value type.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class ScalarType { u8, u16, u32, u64, i32, i64, f32, f64 };

inline constexpr Named<ScalarType> kScalarTypes[] = {
    {"u8", ScalarType::u8},   {"u16", ScalarType::u16}, {"u32", ScalarType::u32},
    {"u64", ScalarType::u64}, {"i32", ScalarType::i32}, {"i64", ScalarType::i64},
    {"f32", ScalarType::f32}, {"f64", ScalarType::f64},
};

constexpr uint64_t size_bytes(ScalarType type) {
  switch (type) {
    case ScalarType::u8:
      return 1;
    case ScalarType::u16:
      return 2;
    case ScalarType::u32:
    case ScalarType::i32:
    case ScalarType::f32:
      return 4;
    case ScalarType::u64:
    case ScalarType::i64:
    case ScalarType::f64:
      return 8;
  }
  return 0;
}

// Label type and value type of a problem, written "u32+f64". A single name is the value type, with
// u32 labels.
struct Types {
  // Type of the labels: u32 or u64; for a histogram on a GPU also u8 and u16; for a compact u8
  ScalarType label = ScalarType::u32;
  ScalarType value = ScalarType::u32;  // type of the values: any of 4 or 8 bytes
  bool operator==(const Types&) const = default;
  auto operator<=>(const Types&) const = default;
};

Types parse_types(std::string_view key, std::string_view text);
std::string to_string(const Types& types);

}  // namespace presort
