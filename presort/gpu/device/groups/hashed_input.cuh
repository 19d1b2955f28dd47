// Inputs of a group-by as the partition takes them: the label is the hash of a key.
#pragma once

#include <cstdint>

#include "presort/core/base/key_hash.h"
#include "presort/gpu/detail/input.cuh"

namespace presort::inline v0::gpu {

// An input whose element i is the hash of keys[i], values[i].
template <class KeyType, class ValueType>
struct HashedInput {
  using Label = KeyType;
  using Value = ValueType;
  SeparateInput<KeyType, ValueType> input;

  __device__ Label label(uint64_t i) const { return hash_of(input.label(i)); }
  __device__ Value value(uint64_t i) const { return input.value(i); }
  template <int kCount>
  bool is_aligned() const {
    return input.template is_aligned<kCount>();
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    input.load(first, label, value);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      label[i] = hash_of(label[i]);
    }
  }
};

}  // namespace presort::gpu
