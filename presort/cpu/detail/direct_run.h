// The direct phase (the plain loop) on real memory.
#pragma once

#include <cstddef>

#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/direct_ahead.h"
#include "presort/cpu/plan/phase_listener.h"

namespace presort::inline v0::cpu {

// Updates buckets with inputs [0, count) by the plain loop.
template <class Input, class Value, class Update>
void run_direct(const Input& input, size_t count, Value* buckets, const Update& update,
                Distances distances) {
  RawMemory memory;
  DirectAhead<RawMemory, Input, Value, Update>{input, buckets, update, distances, count}.step(
      0, count, memory);
}

// Function object that runs the plain loop on one part of a pre-sort.
template <class Value, class Update>
struct DirectKernel {
  Value* buckets;
  const Update& update;
  Distances distances;

  template <class Input>
  void operator()(const Input& input, size_t count) const {
    carries_out<phase::UpdateParts, LabelOf<Input>>();
    run_direct(input, count, buckets, update, distances);
  }
};

}  // namespace presort::cpu
