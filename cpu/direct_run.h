// The direct phase on real memory, with or without software prefetch.
#pragma once

#include <cstddef>

#include "cpu/memory.h"
#include "cpu/phases/direct.h"

namespace presort::cpu {

// Updates buckets with inputs [0, count). prefetch_distance in inputs; 0 = no prefetch
template <class Input, class Value, class Update>
void run_direct(const Input& input, size_t count, Value* buckets, const Update& update,
                int prefetch_distance) {
  RawMemory memory;
  if (prefetch_distance > 0) {
    const auto distance = static_cast<size_t>(prefetch_distance);
    DirectPrefetched<RawMemory, Input, Value, Update>{input, buckets, update, distance, count}.step(
        0, count, memory);
  } else {
    Direct<RawMemory, Input, Value, Update>{input, buckets, update}.step(0, count, memory);
  }
}

// The same as a kernel for the parts of a pre-sort.
template <class Value, class Update>
struct DirectKernel {
  Value* buckets;
  const Update& update;
  int prefetch_distance;

  template <class Input>
  void operator()(const Input& input, size_t count) const {
    run_direct(input, count, buckets, update, prefetch_distance);
  }
};

}  // namespace presort::cpu
