// Operators that do not commute, and values that no atomic updates, for tests of operations that
// keep the order of the inputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace presort::inline v0::gpu::test {

// The affine map x -> factor · x + term, modulo 2^32.
struct Affine {
  uint32_t factor;
  uint32_t term;
  bool operator==(const Affine&) const = default;
};
struct Compose {  // composition: first a, then b
  static constexpr bool is_commutative = false;
  constexpr Affine identity() const { return {1, 0}; }
  constexpr Affine operator()(Affine a, Affine b) const {
    return {a.factor * b.factor, a.term * b.factor + b.term};
  }
};

// Monoid of 2 × 2 matrices modulo 2^32 under multiplication: 16 bytes.
struct Square {
  uint32_t cells[4];
  bool operator==(const Square&) const = default;
};
struct Multiply {
  static constexpr bool is_commutative = false;
  constexpr Square identity() const { return {{1, 0, 0, 1}}; }
  constexpr Square operator()(const Square& a, const Square& b) const {
    return {{a.cells[0] * b.cells[0] + a.cells[1] * b.cells[2],
             a.cells[0] * b.cells[1] + a.cells[1] * b.cells[3],
             a.cells[2] * b.cells[0] + a.cells[3] * b.cells[2],
             a.cells[2] * b.cells[1] + a.cells[3] * b.cells[3]}};
  }
};

// Monoid that keeps the first value, the last, and the number of values: 24 bytes.
struct Ends {
  uint64_t first;
  uint64_t last;
  uint64_t count;
  bool operator==(const Ends&) const = default;
};
struct JoinEnds {
  static constexpr bool is_commutative = false;
  constexpr Ends identity() const { return {0, 0, 0}; }
  constexpr Ends operator()(const Ends& a, const Ends& b) const {
    if (a.count == 0 || b.count == 0) {
      return a.count == 0 ? b : a;
    }
    return {a.first, b.last, a.count + b.count};
  }
};

// Monoid of three sums: 12 bytes, which commute but have no atomic.
struct Triple {
  uint32_t words[3];
  bool operator==(const Triple&) const = default;
};
struct AddTriples {
  static constexpr bool is_commutative = true;
  constexpr Triple identity() const { return {}; }
  constexpr Triple operator()(const Triple& a, const Triple& b) const {
    return {{a.words[0] + b.words[0], a.words[1] + b.words[1], a.words[2] + b.words[2]}};
  }
};

// The later of two numbers that is not 0: an operator that does not commute.
template <class Value>
struct LaterOf {
  static constexpr bool is_commutative = false;
  constexpr Value identity() const { return 0; }
  constexpr Value operator()(Value a, Value b) const { return b == 0 ? a : b; }
};
using Later = LaterOf<uint8_t>;

template <class Value>
std::vector<Value> any_values(size_t n, std::mt19937_64& random) {
  std::vector<Value> values(n);
  auto* bytes = reinterpret_cast<unsigned char*>(values.data());
  std::generate(bytes, bytes + n * sizeof(Value),
                [&] { return static_cast<unsigned char>(random()); });
  return values;
}

}  // namespace presort::gpu::test
