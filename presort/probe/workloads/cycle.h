// A random cyclic order of n nodes without tables: node i's successor is computed, so that a chain
// over a gigabyte is laid out by one sequential pass instead of a random one.
#pragma once

#include <bit>
#include <cstdint>

namespace presort::inline v0::probe {

class Cycle {
 public:
  // A cycle through all of n nodes. Requires: n >= 1
  explicit Cycle(uint64_t n)
      : n_(n),
        bits_(n > 1 ? static_cast<int>(std::bit_width(n - 1)) : 1),
        mask_((uint64_t{1} << bits_) - 1) {}

  uint64_t size() const { return n_; }

  // Number of positions of the cycle, a power of two; a position is a node or, from n on, a gap.
  uint64_t positions() const { return mask_ + 1; }
  uint64_t at(uint64_t position) const { return mix(position & mask_); }
  bool is_node(uint64_t value) const { return value < n_; }

  uint64_t next(uint64_t node) const {
    uint64_t position = unmix(node);
    do {
      position = (position + 1) & mask_;
      node = mix(position);
    } while (node >= n_);
    return node;
  }

 private:
  // Constants of two multiply-and-fold rounds, a bijection of bits_-bit numbers, after Murmur3's
  // finaliser (Appleby 2011, public domain). It folds at half the width so that the fold is its own
  // inverse.
  static constexpr uint64_t kFirst = 0xff51afd7ed558ccdULL;
  static constexpr uint64_t kSecond = 0xc4ceb9fe1a85ec53ULL;
  static constexpr uint64_t kFirstInverse = 0x4f74430c22a54005ULL;
  static_assert(kFirst * kFirstInverse == 1);
  static constexpr uint64_t kSecondInverse = 0x9cb4b2f8129337dbULL;
  static_assert(kSecond * kSecondInverse == 1);

  uint64_t fold(uint64_t x) const { return x ^ (x >> ((bits_ + 1) / 2)); }
  uint64_t mix(uint64_t x) const {
    x = fold((x * kFirst) & mask_);
    x = fold((x * kSecond) & mask_);
    return fold((x * kFirst) & mask_);
  }
  uint64_t unmix(uint64_t x) const {
    x = (fold(x) * kFirstInverse) & mask_;
    x = (fold(x) * kSecondInverse) & mask_;
    return (fold(x) * kFirstInverse) & mask_;
  }

  uint64_t n_;
  int bits_;
  uint64_t mask_;
};

}  // namespace presort::probe
