// The plain loop: one bucket update per input, in the order of the inputs.
#pragma once

#include <cstddef>

namespace presort::inline v0::cpu {

// Updates buckets with inputs [first, last).
// Requires: every label < number of buckets; last <= n
// Source:   Eilers 2014, alg. 2.1 and 2.2
template <class Memory, class Input, class Value, class Update>
struct Direct {
  Input input;
  typename Memory::template Array<Value> buckets;
  Update update;

  void step(size_t first, size_t last, Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      const auto k = input.label(i, memory);
      const auto v = input.value(i, memory);
      update(memory, buckets, k, v, i);
      memory.ops(2);  // micro-operations a step, memory aside: index, compare and jump
    }
  }
};

// The plain loop with a software prefetch of the bucket `distance` inputs ahead.
// Requires: distance >= 1; the input has `size` elements
template <class Memory, class Input, class Value, class Update>
struct DirectPrefetched {
  Input input;
  typename Memory::template Array<Value> buckets;
  Update update;
  size_t distance;
  size_t size;

  void step(size_t first, size_t last, Memory& memory) const {
    const size_t ahead = size > distance ? size - distance : 0;
    const size_t split = last < ahead ? last : (first > ahead ? first : ahead);
    for (size_t i = first; i < split; ++i) {
      memory.prefetch(buckets, input.label(i + distance, memory));
      const auto k = input.label(i, memory);
      const auto v = input.value(i, memory);
      update(memory, buckets, k, v, i);
      memory.ops(2);
    }
    Direct<Memory, Input, Value, Update>{input, buckets, update}.step(split, last, memory);
  }
};

}  // namespace presort::cpu
