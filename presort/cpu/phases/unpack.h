// Copies inputs from the layout of a partition to two arrays.
#pragma once

#include <algorithm>
#include <cstddef>

namespace presort::inline v0::cpu {

// Copies input i to labels[at + i] and values[at + i], for i in [first, last).
template <class Memory, class Input, class Label, class Value>
struct Unpack {
  Input input;
  typename Memory::template Array<Label> labels;
  typename Memory::template Array<Value> values;
  size_t at;

  void step(size_t first, size_t last, Memory& memory) const {
    constexpr size_t kRegister = 16;  // number of bytes of a vector register
    constexpr size_t kLanes = kRegister / std::min(sizeof(Label), sizeof(Value));
    constexpr int kOps =
        5;  // micro-operations a step (g++ 12 -O3, 4 + 4 bytes): copy, two shuffles, two of the loop
    memory.template vector_loop<kLanes>(first, last, kOps, [&](size_t i) {
      memory.store(labels, at + i, input.label(i, memory));
      memory.store(values, at + i, input.value(i, memory));
      memory.ops(2);  // micro-operations a step, memory aside: index, compare and jump
    });
  }
};

}  // namespace presort::cpu
