// The way back from a partition: the result of an input stands where the partition put the input.
#pragma once

#include <cstddef>

#include "cpu/phases/digit.h"

namespace presort::cpu {

// to[i] = from[p++], p being the position of the digit of input i, for inputs [first, last).
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
    for (size_t i = first; i < last; ++i) {
      const auto d = memory.apply(digit, input.label(i, memory));
      const auto position = memory.load(positions, d);
      memory.store(positions, d,
                   memory.apply([](Position p) { return static_cast<Position>(p + 1); }, position));
      to.store(i, from.load(position, memory), memory);
      // g++ 12, -O3: shift by cl (2), mask, address and p + 1 (2 lea), index, compare and jump.
      memory.ops(7);
    }
  }
};

}  // namespace presort::cpu
