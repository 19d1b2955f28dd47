// Benchmark loops that go through arrays in order, one line of 64 bytes for each item.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/cpu/loops/scalar_sum.h"

namespace presort::inline v0::cpu {

inline constexpr size_t kLineWords = 8;  // 8-byte words in a line
// Number of sums used by turns, so that no addition waits for the one before
inline constexpr size_t kStreamSums = 4;

// Adds word w of lines [first, last) to sums[w mod 4].
// Shapes: from[8 · lines], sums[4]
template <class Memory>
struct StreamRead {
  typename Memory::template Array<const uint64_t> from;
  typename Memory::template Array<uint64_t> sums;

  void step(size_t first, size_t last, Memory& memory) const {
    typename Memory::template Loaded<uint64_t> totals[kStreamSums];
    for (size_t k = 0; k < kStreamSums; ++k) {
      totals[k] = memory.load(sums, k);
    }
    for (size_t i = first * kLineWords; i < last * kLineWords; i += kLineWords) {
#pragma GCC unroll 8
      for (size_t w = 0; w < kLineWords; ++w) {
        auto& total = totals[w % kStreamSums];
        total = memory.apply(ScalarSum{}, total, memory.load(from, i + w));
      }
      memory.ops(
          3);  // micro-operations a step, memory aside: two pointers or indices, compare and jump
    }
    for (size_t k = 0; k < kStreamSums; ++k) {
      memory.store(sums, k, totals[k]);
    }
  }
};

// Adds up two arrays, taking a word of each in turn: words of the first array go to sums 0 and 1, words
// of the second to sums 2 and 3.
// Shapes: first_array[8 · lines], second_array[8 · lines], sums[4]
template <class Memory>
struct StreamReadTwo {
  typename Memory::template Array<const uint64_t> first_array;
  typename Memory::template Array<const uint64_t> second_array;
  typename Memory::template Array<uint64_t> sums;

  void step(size_t first, size_t last, Memory& memory) const {
    typename Memory::template Loaded<uint64_t> totals[kStreamSums];
    for (size_t k = 0; k < kStreamSums; ++k) {
      totals[k] = memory.load(sums, k);
    }
    for (size_t i = first * kLineWords; i < last * kLineWords; i += kLineWords) {
#pragma GCC unroll 8
      for (size_t w = 0; w < kLineWords; ++w) {
        auto& one = totals[w % 2];
        auto& other = totals[2 + w % 2];
        one = memory.apply(ScalarSum{}, one, memory.load(first_array, i + w));
        other = memory.apply(ScalarSum{}, other, memory.load(second_array, i + w));
      }
      memory.ops(4);
    }
    for (size_t k = 0; k < kStreamSums; ++k) {
      memory.store(sums, k, totals[k]);
    }
  }
};

// Copies lines [first, last) of an array.
// Shapes: from[8 · lines], to[8 · lines]
template <class Memory>
struct StreamCopy {
  typename Memory::template Array<const uint64_t> from;
  typename Memory::template Array<uint64_t> to;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t i = first * kLineWords; i < last * kLineWords; i += kLineWords) {
      memory.copy(to, i, from, i, kLineWords);
      memory.ops(4);
    }
  }
};

}  // namespace presort::cpu
