// Sums values by key on a GPU, where keys are any integers, for types known when the call is made.
#pragma once

#include "python/src/cuda/elements.cuh"

namespace presort::python {

// Inputs of a group-by, and room for its groups.
struct Groups {
  int key_bytes = 8;           // of one key, 4 or 8
  const void* keys = nullptr;  // keys[n], in device memory, like all arrays here
  const void* values = nullptr;
  uint64_t n = 0;
  void* group_keys = nullptr;  // group_keys[room], like the two arrays below
  void* sums = nullptr;
  uint32_t* counts = nullptr;  // nullptr: not asked for
  uint64_t room = 0;
  cudaStream_t stream = nullptr;
};

// Sums values by key: for each different key its sum, and the number of its values, in no
// particular order. Keys with a sign are handed over as those without.
// count:    the number of groups, in device memory; the plan is then chosen for `room` groups, and
//           the host waits for nothing. nullptr: the plan is chosen from a sample of the keys, and
//           the host waits
// Returns:  the number of groups where count is nullptr, else 0. If there are more than `room`,
//           `room` of them were written
// Requires: element is neither f16 nor bf16
// Errors:   as gpu::group_sum
uint64_t group_sum(const Groups& groups, Element element, uint64_t* count);

// One pair of types of group_sum(), compiled in a source of its own (groups_as.cu.in).
template <class Key, class Value>
uint64_t group_sum_as(const Groups& groups, uint64_t* count);

}  // namespace presort::python
