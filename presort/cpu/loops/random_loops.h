// Benchmark loops of random accesses to a table. Random places are computed in registers: only the table
// is in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "presort/cpu/loops/random_word.h"

namespace presort::inline v0::cpu {

// sum[0] += table[random_word(i) & mask] for items i of [first, last).
// Requires: the table has mask + 1 elements, a power of two of at most 2^32
template <class Memory>
struct RandomGather {
  typename Memory::template Array<const uint32_t> table;
  uint64_t mask;
  typename Memory::template Array<uint32_t> sum;

  void step(size_t first, size_t last, Memory& memory) const {
    typename Memory::template Loaded<uint32_t> total = memory.load(sum, 0);
    for (size_t i = first; i < last; ++i) {
      total = memory.apply(std::plus<uint32_t>{}, total, memory.load(table, random_word(i) & mask));
      memory.ops(
          8);  // micro-operations a step (g++ 12): next product, copy, shift, xor, multiply, shift, mask, jump
    }
    memory.store(sum, 0, total);
  }
};

// table[random_word(i) & mask] += i for items i of [first, last).
// Requires: the table has mask + 1 elements, a power of two of at most 2^32
template <class Memory>
struct RandomUpdate {
  typename Memory::template Array<uint32_t> table;
  uint64_t mask;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      const uint64_t k = random_word(i) & mask;
      memory.store(table, k,
                   memory.apply([i](uint32_t old) { return old + static_cast<uint32_t>(i); },
                                memory.load(table, k)));
      memory.ops(10);  // micro-operations a step: those of RandomGather, an addition, an index
    }
  }
};

// table[random_word(i) & mask] = i for items i of [first, last).
// Requires: the table has mask + 1 elements, a power of two of at most 2^32
template <class Memory>
struct RandomStore {
  typename Memory::template Array<uint32_t> table;
  uint64_t mask;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      memory.store(table, random_word(i) & mask, static_cast<uint32_t>(i));
      memory.ops(9);  // micro-operations a step: those of RandomGather, an index
    }
  }
};

}  // namespace presort::cpu
