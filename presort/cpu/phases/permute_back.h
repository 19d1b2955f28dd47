// Moves results back to the order of the inputs before a partition. At first the result of an input
// stands where the partition put the input.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/cpu/phases/digit.h"

namespace presort::inline v0::cpu {

// Number of inputs whose digits are computed, in vector code, before their results are moved.
inline constexpr size_t kPermuteBlock = 64;

// Distance, in inputs, at which software prefetches labels.
inline constexpr size_t kPermuteAhead = 512;

// Distance, in results of one digit, at which software prefetches results: one cache line, because
// hardware does not follow as many streams as there are digits. Measured: u32, n = 2^26, ns an input,
// one result at a time and in blocks that prefetch: 8 bits 2.0 and 1.8, 9 bits 2.2 and 1.9, 10 bits
// 5.0 and 1.4, 11 bits 4.5 and 1.8; a distance of 32 is 2 to 5 % slower (two-core virtual machine,
// Golden-Cove-class core, 2026-11-22, a loop of the same code).
inline constexpr size_t kResultsAhead = 16;

// Computes to[i] = from[p++], p being the position of the digit of input i, for inputs [first, last).
// Requires: positions[d] is where the result of the next input of digit d stands; the inputs are
//           those that were partitioned, in their order. Where the labels of the inputs and `to`
//           are the halves of pairs, they may be the same pairs.
// Source:   Eilers 2014, alg. 2.6 (last loop)
template <class Memory, class Input, class From, class To, class Position = size_t>
struct PermuteBack {
  Input input;
  typename Memory::template Array<Position> positions;
  From from;
  To to;
  Digit digit;

  void step(size_t first, size_t last, Memory& memory) const {
    size_t i = first;
    for (; i + kPermuteBlock <= last; i += kPermuteBlock) {
      input.fetch(i + kPermuteAhead, kPermuteBlock, memory);
      move<kPermuteBlock>(i, memory);
    }
    for (; i < last; ++i) {
      move<1>(i, memory);
    }
  }

 private:
  using StagedDigit = typename Memory::template Loaded<uint32_t>;

  template <size_t kCount>
  void move(size_t first, Memory& memory) const {
    StagedDigit digits[kCount];
    for (size_t k = 0; k < kCount; ++k) {
      digits[k] = memory.apply([d = digit](auto label) { return d.narrow(label); },
                               input.label(first + k, memory));
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < kCount; ++k) {
      move_one(first + k, digits[k], memory);
    }
  }

  void move_one(size_t i, const StagedDigit& d, Memory& memory) const {
    const auto position = memory.load(positions, d);
    memory.store(positions, d,
                 memory.apply([](Position p) { return static_cast<Position>(p + 1); }, position));
    from.fetch(
        memory.apply([](Position p) { return static_cast<Position>(p + kResultsAhead); }, position),
        memory);
    to.store(i, from.load(position, memory), memory);
    // Micro-operations for an input whose result is moved back, g++ 12 -O3: a digit from the stack, p +
    // 1, and a quarter each of shift, mask and store.
    memory.ops(3);
  }
};

}  // namespace presort::cpu
