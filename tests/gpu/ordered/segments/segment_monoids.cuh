// Operators of segmented reductions and scans: of 4 to 24 bytes, most of which do not commute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace presort::inline v0::gpu::test {

// The affine map x -> factor · x + term, modulo 2^32.
struct Line {
  uint32_t factor;
  uint32_t term;
  bool operator==(const Line&) const = default;
};
struct ComposeLines {  // composition: first a, then b
  static constexpr bool is_commutative = false;
  constexpr Line identity() const { return {1, 0}; }
  constexpr Line operator()(Line a, Line b) const {
    return {a.factor * b.factor, a.term * b.factor + b.term};
  }
};

// An operator: the largest sum of consecutive values, which may be none; 16 bytes.
struct Subarray {
  int32_t best;
  int32_t from_begin;
  int32_t to_end;
  int32_t all;
  bool operator==(const Subarray&) const = default;
};
struct JoinSubarrays {
  static constexpr bool is_commutative = false;
  constexpr Subarray identity() const { return {0, 0, 0, 0}; }
  constexpr Subarray operator()(const Subarray& a, const Subarray& b) const {
    const auto larger = [](int32_t x, int32_t y) { return x < y ? y : x; };
    return {larger(larger(a.best, b.best), a.to_end + b.from_begin),
            larger(a.from_begin, a.all + b.from_begin), larger(b.to_end, a.to_end + b.all),
            a.all + b.all};
  }
};

// Monoid: the largest value, and the first index that has it.
struct Place {
  float value;
  uint32_t index;
  bool operator==(const Place&) const = default;
};
struct FirstOfLargest {
  static constexpr bool is_commutative = true;
  constexpr Place identity() const {
    return {-std::numeric_limits<float>::infinity(), std::numeric_limits<uint32_t>::max()};
  }
  constexpr Place operator()(Place a, Place b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};

// Monoid: the first value, the last, and their number; 24 bytes.
struct Span {
  uint64_t first;
  uint64_t last;
  uint64_t count;
  bool operator==(const Span&) const = default;
};
struct JoinSpans {
  static constexpr bool is_commutative = false;
  constexpr Span identity() const { return {0, 0, 0}; }
  constexpr Span operator()(const Span& a, const Span& b) const {
    if (a.count == 0 || b.count == 0) {
      return a.count == 0 ? b : a;
    }
    return {a.first, b.last, a.count + b.count};
  }
};

// Monoid of three sums; 12 bytes.
struct Sums {
  uint32_t word[3];
  bool operator==(const Sums&) const = default;
};
struct AddSums {
  static constexpr bool is_commutative = true;
  constexpr Sums identity() const { return {}; }
  constexpr Sums operator()(const Sums& a, const Sums& b) const {
    return {{a.word[0] + b.word[0], a.word[1] + b.word[1], a.word[2] + b.word[2]}};
  }
};

// Operator: the later of two values, where 0 means none.
struct Latest {
  static constexpr bool is_commutative = false;
  constexpr uint8_t identity() const { return 0; }
  constexpr uint8_t operator()(uint8_t a, uint8_t b) const { return b == 0 ? a : b; }
};

// Makes test values by index: small whole numbers for arithmetic types, so that sums are exact.
template <class Value>
Value any_value(uint64_t i, std::mt19937_64& random) {
  const auto any = static_cast<uint32_t>(random());
  if constexpr (std::is_same_v<Value, Line>) {
    return {any | 1, any >> 7};
  } else if constexpr (std::is_same_v<Value, Subarray>) {
    const auto value = static_cast<int32_t>(any % 201) - 100;
    return {std::max(value, 0), std::max(value, 0), std::max(value, 0), value};
  } else if constexpr (std::is_same_v<Value, Place>) {
    return {static_cast<float>(any % 1000), static_cast<uint32_t>(i)};
  } else if constexpr (std::is_same_v<Value, Span>) {
    return {i, i, 1};
  } else if constexpr (std::is_same_v<Value, Sums>) {
    return {{any, any >> 3, 1}};
  } else {
    return static_cast<Value>(any % 16);
  }
}

template <class Value>
std::vector<Value> any_values(size_t n, std::mt19937_64& random) {
  std::vector<Value> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = any_value<Value>(i, random);
  }
  return values;
}

}  // namespace presort::gpu::test
