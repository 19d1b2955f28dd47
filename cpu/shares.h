// How threads divide what there is to do.
#pragma once

#include <algorithm>
#include <cstddef>

namespace presort::cpu {

struct Share {
  size_t first = 0;
  size_t last = 0;
  size_t count() const { return last - first; }
  bool operator==(const Share&) const = default;
};

// The t-th of `threads` consecutive ranges of [0, count), whose lengths differ by at most one.
// Requires: t < threads; count · threads < 2^64
constexpr Share share_of(size_t count, size_t t, size_t threads) {
  return {t * count / threads, (t + 1) * count / threads};
}

// The thread that works on a part of `count` inputs which `before` of all n precede: that in whose
// share of the inputs the middle of the part lies. Never decreases from part to part, so that each
// thread gets consecutive ones.
// Requires: before + count <= n, n > 0, 2 · n · threads < 2^64
constexpr size_t owner_of_part(size_t before, size_t count, size_t n, size_t threads) {
  return std::min(threads - 1, (2 * before + count) * threads / (2 * n));
}

}  // namespace presort::cpu
