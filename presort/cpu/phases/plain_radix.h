// The thesis' own radix sort, one pass: every input goes straight to its place, without buffers.
#pragma once

#include <cstddef>

#include "presort/cpu/phases/digit.h"

namespace presort::inline v0::cpu {

// Moves inputs [first, last) to positions[digit]++ of the result. Stable.
// Requires: positions[d] is where the next input of digit d belongs
// Source:   Eilers 2014, alg. 2.4 (`radix`); the divisor of pass r is 2^offset · base^r, base a
//           power of two, hence shift and mask
// Measured: u32+u32, n = 2^26, 2 MiB pages, two-core virtual machine: 4.8, 5.0, 5.6, 7.5, 9.2 ns
//           per input for 8, 9, 10, 11, 12 bits
template <class Memory, class Label, class Value>
struct PlainRadix {
  typename Memory::template Array<const Label> keys;
  typename Memory::template Array<const Value> values;
  typename Memory::template Array<Label> result_keys;
  typename Memory::template Array<Value> result_values;
  typename Memory::template Array<size_t> positions;
  Digit digit;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      const auto key = memory.load(keys, i);
      const auto d = memory.apply(digit, key);
      const auto index = memory.load(positions, d);
      memory.store(result_keys, index, key);
      memory.store(result_values, index, memory.load(values, i));
      memory.store(positions, d, memory.apply([](size_t p) { return p + 1; }, index));
      memory.ops(8);  // 8 of 14 micro-operations (g++ 12, -O3); the shift by cl takes 2
    }
  }
};

}  // namespace presort::cpu
