// Benchmark loops that read indices and values in order and access a table at each index.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/cpu/loops/scalar_sum.h"

namespace presort::inline v0::cpu {

// The index of item i in the table is the low bits of a random word, so one array of words serves
// all table sizes.
template <class Memory>
struct StreamedAccesses {
  typename Memory::template Array<const uint32_t> words;
  typename Memory::template Array<const uint32_t> values;
  uint32_t mask;

  auto index(size_t i, Memory& memory) const {
    return memory.apply([this](uint32_t word) { return word & mask; }, memory.load(words, i));
  }
};

// sum[0] += values[i] + table[words[i] & mask] for items i of [first, last).
// Requires: the table has mask + 1 elements, a power of two
template <class Memory>
struct StreamGather {
  StreamedAccesses<Memory> accesses;
  typename Memory::template Array<const uint32_t> table;
  typename Memory::template Array<uint32_t> sum;

  void step(size_t first, size_t last, Memory& memory) const {
    typename Memory::template Loaded<uint32_t> total = memory.load(sum, 0);
    for (size_t i = first; i < last; ++i) {
      const auto k = accesses.index(i, memory);
      total = memory.apply(ScalarSum{}, total, memory.load(accesses.values, i));
      total = memory.apply(ScalarSum{}, total, memory.load(table, k));
      // micro-operations beside the loads: copy of the mask, index, compare and jump
      memory.ops(3);
    }
    memory.store(sum, 0, total);
  }
};

// table[words[i] & mask] += values[i] for items i of [first, last).
// Requires: the table has mask + 1 elements, a power of two
template <class Memory>
struct StreamUpdate {
  StreamedAccesses<Memory> accesses;
  typename Memory::template Array<uint32_t> table;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      const auto k = accesses.index(i, memory);
      const auto v = memory.load(accesses.values, i);
      memory.store(table, k,
                   memory.apply([](uint32_t old, uint32_t value) { return old + value; },
                                memory.load(table, k), v));
      memory.ops(
          4);  // micro-operations a step, memory aside: copy of the mask, index, compare, jump, addition
    }
  }
};

}  // namespace presort::cpu
