// Monoids: an associative operator ⊙ with its neutral element. An operator that rounds, and so is
// not quite associative, says so: is_associative = false. Its results are those of one fold from
// left to right, and plans that would group it otherwise refuse it.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

namespace presort::inline v0 {

template <class M, class Value>
concept Monoid = requires(const M monoid, Value a, Value b) {
  { monoid.identity() } -> std::convertible_to<Value>;
  { monoid(a, b) } -> std::convertible_to<Value>;
  { M::is_commutative } -> std::convertible_to<bool>;
};

template <class M>
constexpr bool associates() {
  if constexpr (requires { M::is_associative; }) {
    return M::is_associative;
  }
  return true;
}

template <class Value>
struct Sum {
  static constexpr bool is_associative = !std::is_floating_point_v<Value>;
  static constexpr bool is_commutative = true;
  constexpr Value identity() const { return Value{}; }
  constexpr Value operator()(Value a, Value b) const { return a + b; }
};

template <class Value>
struct Product {
  static constexpr bool is_associative = !std::is_floating_point_v<Value>;
  static constexpr bool is_commutative = true;
  constexpr Value identity() const { return Value{1}; }
  constexpr Value operator()(Value a, Value b) const { return a * b; }
};

template <class Value>
struct Min {
  static constexpr bool is_commutative = true;
  constexpr Value identity() const {
    using Limits = std::numeric_limits<Value>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  constexpr Value operator()(Value a, Value b) const { return b < a ? b : a; }
};

template <class Value>
struct Max {
  static constexpr bool is_commutative = true;
  constexpr Value identity() const {
    using Limits = std::numeric_limits<Value>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  constexpr Value operator()(Value a, Value b) const { return a < b ? b : a; }
};

}  // namespace presort
