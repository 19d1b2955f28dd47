// Monoids: an associative operator ⊙ with its neutral element.
#pragma once

#include <concepts>
#include <limits>

namespace presort {

template <class M, class Value>
concept Monoid = requires(const M monoid, Value a, Value b) {
  { monoid.identity() } -> std::convertible_to<Value>;
  { monoid(a, b) } -> std::convertible_to<Value>;
  { M::is_commutative } -> std::convertible_to<bool>;
};

template <class Value>
struct Sum {
  static constexpr bool is_commutative = true;
  constexpr Value identity() const { return Value{}; }
  constexpr Value operator()(Value a, Value b) const { return a + b; }
};

template <class Value>
struct Min {
  static constexpr bool is_commutative = true;
  constexpr Value identity() const { return std::numeric_limits<Value>::max(); }
  constexpr Value operator()(Value a, Value b) const { return b < a ? b : a; }
};

template <class Value>
struct Max {
  static constexpr bool is_commutative = true;
  constexpr Value identity() const { return std::numeric_limits<Value>::lowest(); }
  constexpr Value operator()(Value a, Value b) const { return a < b ? b : a; }
};

}  // namespace presort
