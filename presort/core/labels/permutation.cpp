#include "presort/core/labels/permutation.h"

#include <cmath>

#include "presort/core/base/random.h"

namespace presort::inline v0 {
namespace {

uint64_t ceil_sqrt(uint64_t x) {
  uint64_t root = static_cast<uint64_t>(std::ceil(std::sqrt(static_cast<double>(x))));
  while (root > 1 && (root - 1) * (root - 1) >= x) {
    --root;
  }
  return root;
}

// The number that a Feistel round adds to the other half, modulo `bound`; the inverse round
// subtracts it.
uint64_t round_offset(uint64_t half, uint64_t key, uint64_t bound) {
  return bounded(mix64(half ^ key), bound);
}

// The sum a + b modulo `bound`. Requires: a, b < bound
uint64_t add(uint64_t a, uint64_t b, uint64_t bound) {
  const uint64_t sum = a + b;  // no overflow: bounds are at most 2^32
  return sum >= bound ? sum - bound : sum;
}

uint64_t subtract(uint64_t a, uint64_t b, uint64_t bound) {
  const uint64_t difference = a - b;
  return a < b ? difference + bound : difference;
}

}  // namespace

Permutation::Permutation(uint64_t size, uint64_t key)
    : size_(size),
      lefts_(ceil_sqrt(size)),
      rights_((size - 1) / lefts_ + 1),
      reciprocal_(~uint64_t{0} / lefts_) {
  for (uint64_t round = 0; round < 4; ++round) {
    round_keys_[round] = random_u64(key, round);
  }
}

uint64_t Permutation::operator()(uint64_t x) const {
  do {
    x = forward_once(x);
  } while (x >= size_);
  return x;
}

uint64_t Permutation::inverse(uint64_t y) const {
  do {
    y = backward_once(y);
  } while (y >= size_);
  return y;
}

// Splits x into x mod a and x / a. The quotient by the reciprocal of a is at most one too small.
Permutation::Pair Permutation::split(uint64_t x) const {
  uint64_t right = bounded(x, reciprocal_);
  uint64_t left = x - right * lefts_;
  const bool short_by_one = left >= lefts_;
  right += short_by_one ? 1 : 0;
  left -= short_by_one ? lefts_ : 0;
  return {left, right};
}

uint64_t Permutation::forward_once(uint64_t x) const {
  auto [left, right] = split(x);
  for (int round = 0; round < 4; round += 2) {
    left = add(left, round_offset(right, round_keys_[round], lefts_), lefts_);
    right = add(right, round_offset(left, round_keys_[round + 1], rights_), rights_);
  }
  return left + lefts_ * right;
}

uint64_t Permutation::backward_once(uint64_t y) const {
  auto [left, right] = split(y);
  for (int round = 4; round > 0; round -= 2) {
    right = subtract(right, round_offset(left, round_keys_[round - 1], rights_), rights_);
    left = subtract(left, round_offset(right, round_keys_[round - 2], lefts_), lefts_);
  }
  return left + lefts_ * right;
}

}  // namespace presort
