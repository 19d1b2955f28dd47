// A keyed bijection on [0, size): the label a rank or position is sent to, and back, without a
// table. Four rounds of the generalised Feistel network on pairs (left, right), of which there are
// a times b, both about √size, walked until the result is below size. There are fewer than a pairs
// too many, so a second step is rare.
// Measured: 9 ns per element, for sizes at and just above a power of two alike (machine and
//           command: core/labels/kinds/kinds.h).
// Source: Black & Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002, section 5.
#pragma once

#include <cstdint>

namespace presort::inline v0 {

class Permutation {
 public:
  Permutation(uint64_t size, uint64_t key);  // makes the permutation of a key; requires size > 0

  uint64_t size() const { return size_; }
  uint64_t operator()(uint64_t x) const;  // y, the number that x is sent to; requires x < size()
  uint64_t inverse(uint64_t y) const;     // x, the number that is sent to y; requires y < size()

 private:
  struct Pair {
    uint64_t left;
    uint64_t right;
  };
  Pair split(uint64_t x) const;
  uint64_t forward_once(uint64_t x) const;
  uint64_t backward_once(uint64_t y) const;

  uint64_t size_;
  uint64_t lefts_;       // a, the number of left halves of a Feistel pair
  uint64_t rights_;      // b, the number of right halves of a Feistel pair
  uint64_t reciprocal_;  // ⌊(2^64 - 1) / a⌋, the reciprocal of a
  uint64_t round_keys_[4];
};

}  // namespace presort
