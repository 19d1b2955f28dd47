// Partitions by one digit through software write buffers, so that the output is written in whole
// lines and few pages are open at a time. Stable.
#pragma once

#include <cstddef>

#include "cpu/phases/digit.h"

namespace presort::cpu {

// Moves inputs [first, last) to the buffer of their digit, and each buffer that became full to the
// output. positions[d] is where in the output the next input of digit d belongs; its low bits say
// where in the buffer.
// Requires: each digit's part of the output starts at a multiple of the capacity
// Source:   software write-combining after Wassenberg & Sanders, "Engineering a multi-core radix
//           sort", Euro-Par 2011
// Measured: u32+u32 pairs, n = 2^26, 9 bits, 2 MiB pages, two-core virtual
// machine: 2.4, 1.8, 1.6, 1.5
//           ns per input with buffers of 64, 128, 256, 512 bytes; 32-bit positions are no faster
template <class Memory, class Input, class Buffers, class Position = size_t>
struct BufferedPartition {
  Input input;
  typename Memory::template Array<Position> positions;
  Buffers buffers;
  Digit digit;

  void step(size_t first, size_t last, Memory& memory) const {
    const size_t capacity = buffers.capacity;
    const size_t last_slot = capacity - 1;
    for (size_t i = first; i < last; ++i) {
      const auto label = input.label(i, memory);
      const auto value = input.value(i, memory);
      const auto d = memory.apply(digit, label);
      const auto position = memory.load(positions, d);
      const auto slot =
          memory.apply([=](size_t which, Position p) { return which * capacity + (p & last_slot); },
                       d, position);
      buffers.put(slot, label, value, memory);
      memory.store(positions, d,
                   memory.apply([](Position p) { return static_cast<Position>(p + 1); }, position));
      const auto full =
          memory.apply([last_slot](Position p) { return (p & last_slot) == last_slot; }, position);
      if (memory.branch(full)) {
        const auto back = [last_slot](size_t at) { return at - last_slot; };
        buffers.flush(memory.apply(back, slot), memory.apply(back, position), memory);
        memory.ops(8);
      }
      // g++ 12, -O3: 19 in all. Shift by cl (2), mask, digit · capacity + slot (3), two copies, two
      // addresses and p + 1 (3 lea), index, compare and jump; the pair is put together in a
      // register (a second load of the label and an unpack) and stored at once.
      memory.ops(12);
    }
  }
};

// Copies what remains in the buffers of digits [first, last) to the output.
// Requires: positions as the partition left them
template <class Memory, class Buffers, class Position = size_t>
struct DrainBuffers {
  typename Memory::template Array<Position> positions;
  Buffers buffers;

  void step(size_t first, size_t last, Memory& memory) const {
    const size_t capacity = buffers.capacity;
    for (size_t d = first; d < last; ++d) {
      const auto end = memory.load(positions, d);
      const auto rest = memory.apply([capacity](Position p) { return p & (capacity - 1); }, end);
      for (size_t k = 0; memory.branch(memory.apply([k](size_t r) { return k < r; }, rest)); ++k) {
        const auto to = memory.apply([k](Position p, size_t r) { return p - r + k; }, end, rest);
        buffers.drain(d * capacity + k, to, memory);
        memory.ops(3);
      }
      memory.ops(4);
    }
  }
};

}  // namespace presort::cpu
