// The direct phase with what software fetches ahead of it: buckets, inputs, both or neither.
#pragma once

#include <cstddef>

#include "presort/core/plan/plan.h"
#include "presort/cpu/phases/direct.h"

namespace presort::inline v0::cpu {

// Inputs themselves are fetched by software so far ahead, and with them the lines of results that
// are written beside them: among random misses the hardware does not run ahead of them.
inline constexpr size_t kInputDistance = 512;

// How far ahead, in inputs; 0: not at all.
struct Distances {
  size_t buckets = 0;
  size_t inputs = 0;
};

// Of the plain loop: without software prefetch it stays plain.
constexpr Distances plain_distances(const Base& base) {
  const auto buckets = static_cast<size_t>(base.prefetch_distance);
  return {buckets, buckets > 0 ? kInputDistance : static_cast<size_t>(base.input_distance)};
}

// Of the loop on the parts of a buffered pre-sort.
constexpr Distances part_distances(const Base& base) {
  return {static_cast<size_t>(base.prefetch_distance), kInputDistance};
}

// Of a plan's kernel, whole or on the parts of a buffered pre-sort.
inline Distances distances_of(const Plan& plan) {
  return plan.presort ? part_distances(plan.base) : plain_distances(plan.base);
}

// Inputs whose lines are fetched together: 64 bytes of 32-bit labels.
inline constexpr size_t kFetchBlock = 16;

// Updates buckets with inputs [first, last).
// Requires: the input has `size` elements
template <class Memory, class Input, class Value, class Update>
struct DirectAhead {
  Input input;
  typename Memory::template Array<Value> buckets;
  Update update;
  Distances distances;
  size_t size;

  void step(size_t first, size_t last, Memory& memory) const {
    size_t i = first;
    if (distances.inputs > 0) {
      for (; i + kFetchBlock <= last; i += kFetchBlock) {
        input.fetch(i + distances.inputs, kFetchBlock, memory);
        if constexpr (requires { update.fetch_to_write(i, i, memory); }) {
          update.fetch_to_write(i + distances.inputs, kFetchBlock, memory);
        }
        update_inputs(i, i + kFetchBlock, memory);
      }
    }
    update_inputs(i, last, memory);
  }

 private:
  void update_inputs(size_t first, size_t last, Memory& memory) const {
    if (distances.buckets > 0) {
      DirectPrefetched<Memory, Input, Value, Update>{input, buckets, update, distances.buckets,
                                                     size}
          .step(first, last, memory);
    } else {
      Direct<Memory, Input, Value, Update>{input, buckets, update}.step(first, last, memory);
    }
  }
};

}  // namespace presort::cpu
