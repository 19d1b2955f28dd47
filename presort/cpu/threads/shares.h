// Divides work into shares for threads.
#pragma once

#include <algorithm>
#include <cstddef>

namespace presort::inline v0::cpu {

struct Share {
  size_t first = 0;
  size_t last = 0;
  size_t count() const { return last - first; }
  bool operator==(const Share&) const = default;
};

// The t-th of `threads` consecutive ranges of [0, count), whose lengths differ by at most one.
// Requires: t < threads < 2^32
constexpr Share share_of(size_t count, size_t t, size_t threads) {
  // Computes t · count / threads, rounded down, without overflow for any count.
  const auto begin = [=](size_t number) {
    return number * (count / threads) + number * (count % threads) / threads;
  };
  return {begin(t), begin(t + 1)};
}

// Number of shares into which inputs are cut for each thread; threads take shares one after the other.
// Each thread gets several shares, so that a core that works at half its speed (a busy hyper-thread
// sibling, a smaller core) holds up the others by a share and not by half of all the time; but none
// so short that beginning and ending it shows. Measured in docs/results/cpu-kernels.md, "Shares".
inline constexpr size_t kSharesPerThread = 4;
inline constexpr size_t kLeastShare = 1 << 16;  // least number of inputs in a share
constexpr size_t share_count(size_t n, size_t threads) {
  return threads == 1
             ? 1
             : threads * std::clamp<size_t>(n / (threads * kLeastShare), 1, kSharesPerThread);
}

// The thread that works on a part of `count` inputs, with `before` of all n inputs before it: the
// thread in whose share of the inputs the middle of the part lies. The thread's number never decreases
// from part to part, so that each thread gets consecutive parts.
// Requires: before + count <= n, n > 0, 2 · n · threads < 2^64
constexpr size_t owner_of_part(size_t before, size_t count, size_t n, size_t threads) {
  return std::min(threads - 1, (2 * before + count) * threads / (2 * n));
}

}  // namespace presort::cpu
