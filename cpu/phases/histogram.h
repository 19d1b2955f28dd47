// How many inputs each digit has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/phases/digit.h"

namespace presort::cpu {

// Consecutive inputs count in different tables, so that equal digits in a row do not wait for each
// other's store.
inline constexpr size_t kCountTables = 2;

// Adds the digits of inputs [first, last) to the tables: counts[(i mod kCountTables) · digits + d].
// Shapes:   counts[kCountTables · digit.count()]
// Requires: at most kMaxCountedInputs inputs in all before the tables are summed up and cleared
inline constexpr size_t kMaxCountedInputs = 0xffffffff;

template <class Memory, class Input>
struct DigitHistogram {
  Input input;
  typename Memory::template Array<uint32_t> counts;
  Digit digit;

  void step(size_t first, size_t last, Memory& memory) const {
    size_t i = first;
    for (; i + kCountTables <= last; i += kCountTables) {
      for (size_t table = 0; table < kCountTables; ++table) {
        count(i + table, table, memory);
      }
      memory.ops(2);  // index, compare and jump
    }
    if (i < last) {
      count(i, 0, memory);
    }
  }

 private:
  void count(size_t i, size_t table, Memory& memory) const {
    const size_t base = table * digit.count();
    const auto at = memory.apply([this, base](auto label) { return base + digit(label); },
                                 input.label(i, memory));
    memory.store(counts, at,
                 memory.apply([](uint32_t c) { return c + 1; }, memory.load(counts, at)));
    memory.ops(3);  // shift, mask, add
  }
};

}  // namespace presort::cpu
