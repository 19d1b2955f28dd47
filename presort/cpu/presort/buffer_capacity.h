// The capacity, in elements, of the write buffer of one part of a partition.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "presort/core/base/carver.h"
#include "presort/cpu/plan/write_buffers.h"

namespace presort::inline v0::cpu {

// The least number of elements of a given size that fill whole cache lines.
constexpr size_t whole_lines(size_t element_bytes) {
  return kLineBytes / std::gcd(kLineBytes, element_bytes);
}

// The capacity of a buffer in elements, a power of two: as many as fit the plan's bufferBytes (with
// separate arrays: elements of the larger kind), but at least what fills whole lines of every
// array, so that a buffer of elements of unequal or odd size may be larger than asked for.
// Requires: sizes in bytes; pair_bytes is that of Pair<Label, Value>
constexpr size_t buffer_capacity(const WriteBuffers& buffers, size_t label_bytes,
                                 size_t value_bytes, size_t pair_bytes) {
  const bool pairs = buffers.layout == Layout::pairs;
  const size_t element = pairs ? pair_bytes : std::max(label_bytes, value_bytes);
  const size_t least = pairs ? whole_lines(pair_bytes)
                             : std::max(whole_lines(label_bytes), whole_lines(value_bytes));
  return std::max(std::bit_floor(static_cast<size_t>(buffers.bytes) / element), least);
}

// The capacity, in elements, of write buffers for inputs that are labels alone.
constexpr size_t buffer_capacity(const WriteBuffers& buffers, size_t element_bytes) {
  return std::max(std::bit_floor(static_cast<size_t>(buffers.bytes) / element_bytes),
                  whole_lines(element_bytes));
}

}  // namespace presort::cpu
