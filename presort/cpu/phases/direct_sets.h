// The direct loop on several sets of buckets: the inputs in as many consecutive parts, walked side
// by side, each part updating a set of its own. Equal labels in a row then wait for each other's
// update only once in kReduceSets, and as parts are consecutive, sets that are merged in their
// order keep the order of the inputs.
#pragma once

#include <array>
#include <cstddef>

#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/phases/direct_ahead.h"

namespace presort::inline v0::cpu {

// One set of buckets, and the first of the consecutive inputs that update this set.
template <class Memory, class Input, class Value>
struct SetOfPart {
  Input input;
  size_t first;
  typename Memory::template Array<Value> buckets;
};

// Updates each set of buckets with inputs [first, last) of the set's own part of the inputs; inputs are
// prefetched.
// Requires: every label < number of buckets of a set
template <class Memory, class Input, class Value, class Update>
struct DirectSets {
  std::array<SetOfPart<Memory, Input, Value>, kReduceSets> parts;
  Update update;

  void step(size_t first, size_t last, Memory& memory) const {
    size_t i = first;
    for (; i + kFetchBlock <= last; i += kFetchBlock) {
      for (const auto& part : parts) {
        part.input.fetch(part.first + i + kInputDistance, kFetchBlock, memory);
      }
      update_sets(i, i + kFetchBlock, memory);
    }
    update_sets(i, last, memory);
  }

 private:
  void update_sets(size_t first, size_t last, Memory& memory) const {
    for (size_t i = first; i < last; ++i) {
      for (const auto& part : parts) {
        const size_t at = part.first + i;
        const auto k = part.input.label(at, memory);
        const auto v = part.input.value(at, memory);
        update(memory, part.buckets, k, v, at);
      }
      memory.ops(2);  // micro-operations a step, memory aside: index, compare and jump
    }
  }
};

}  // namespace presort::cpu
