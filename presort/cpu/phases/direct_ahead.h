// The direct phase with software prefetches of buckets, inputs, both or neither.
#pragma once

#include <cstddef>

#include "presort/cpu/phases/direct.h"
#include "presort/cpu/phases/distances.h"

namespace presort::inline v0::cpu {

// Number of inputs whose cache lines are prefetched together: 64 bytes of 4-byte labels.
inline constexpr size_t kFetchBlock = 16;

// Updates buckets with inputs [first, last), prefetching buckets and inputs ahead.
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
