// The digit counts of any number of inputs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/histogram.h"

namespace presort::inline v0::cpu {

// Adds the number of inputs [0, count) of digit d to totals[d].
// Shapes:   tables[kCountTables · digit.count()] (overwritten), totals[digit.count()]
// Requires: 0 < block <= kMaxCountedInputs, inputs after which the tables are summed up
template <class Input>
void add_digit_counts(const Input& input, size_t count, const Digit& digit, uint32_t* tables,
                      size_t* totals, size_t block = kMaxCountedInputs) {
  const DigitHistogram<RawMemory, Input> histogram{input, tables, digit};
  RawMemory memory;
  for (size_t first = 0; first < count; first += std::min(block, count - first)) {
    std::fill_n(tables, kCountTables * digit.count(), uint32_t{0});
    histogram.step(first, first + std::min(block, count - first), memory);
    for (size_t table = 0; table < kCountTables; ++table) {
      for (size_t d = 0; d < digit.count(); ++d) {
        totals[d] += tables[table * digit.count() + d];
      }
    }
  }
}

// Counts the digits of inputs into `totals`, which is set to 0 first.
template <class Input>
void count_digits(const Input& input, size_t count, const Digit& digit, uint32_t* tables,
                  size_t* totals, size_t block = kMaxCountedInputs) {
  std::fill_n(totals, digit.count(), size_t{0});
  add_digit_counts(input, count, digit, tables, totals, block);
}

// Turns counts into the starts of the digits' parts, each a multiple of `alignment` from `base` on.
// Requires: alignment is a power of two that divides base
inline void counts_to_starts(size_t* counts, size_t digits, size_t base, size_t alignment) {
  size_t start = base;
  for (size_t d = 0; d < digits; ++d) {
    const size_t count = counts[d];
    counts[d] = start;
    start = (start + count + alignment - 1) & ~(alignment - 1);
  }
}

}  // namespace presort::cpu
