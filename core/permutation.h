// A keyed bijection on [0, size): the label a rank or position is sent to, and back, without a table.
// A four-round Feistel network on the smallest even number of bits that holds size, walked until the
// result is below size (fewer than four steps on average).
// Source: Black & Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002.
#pragma once

#include <cstdint>

namespace presort {

class Permutation {
 public:
  Permutation(uint64_t size, uint64_t key);

  uint64_t size() const { return size_; }
  uint64_t operator()(uint64_t x) const;  // requires x < size()
  uint64_t inverse(uint64_t y) const;     // requires y < size()

 private:
  uint64_t forward_once(uint64_t x) const;
  uint64_t backward_once(uint64_t y) const;

  uint64_t size_;
  int half_bits_;
  uint64_t half_mask_;
  uint64_t round_keys_[4];
};

}  // namespace presort
