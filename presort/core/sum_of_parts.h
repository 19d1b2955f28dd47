// Sums of values that consist of parts of one type, each summed by itself: a structure of two
// counters, a complex number. A GPU updates each part by an atomic of its own, in any order, where
// values of other operators and more than 8 bytes are reduced in the order of the inputs.
//   struct Two { uint64_t count, bytes; };
//   gpu::multireduce(labels, values, buckets, SumOfParts<Two, uint64_t>{});
// Requires: Value is trivially copyable, and has no bytes but those of its parts
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>

namespace presort::inline v0 {

template <class Value, class PartType>
struct SumOfParts {
  using Part = PartType;
  static constexpr size_t kParts = sizeof(Value) / sizeof(Part);
  static_assert(std::is_arithmetic_v<Part> && std::is_trivially_copyable_v<Value>);
  static_assert(sizeof(Value) == kParts * sizeof(Part), "a value consists of whole parts");
  static constexpr bool is_associative = !std::is_floating_point_v<Part>;
  static constexpr bool is_commutative = true;

  struct Parts {
    Part items[kParts];
  };

  constexpr Value identity() const { return std::bit_cast<Value>(Parts{}); }
  constexpr Value operator()(const Value& a, const Value& b) const {
    auto sums = std::bit_cast<Parts>(a);
    const auto others = std::bit_cast<Parts>(b);
    for (size_t i = 0; i < kParts; ++i) {
      sums.items[i] = static_cast<Part>(sums.items[i] + others.items[i]);
    }
    return std::bit_cast<Value>(sums);
  }
};

}  // namespace presort
