// Inputs whose values are 16-bit floats, and are reduced as float.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/gpu/detail/input.cuh"
#include "presort/gpu/detail/row_values.cuh"

namespace presort::inline v0::gpu {

// An input whose element i is labels[i], values[i] as float; or, with ValueType uint32_t, as the
// bits of that float.
template <class LabelType, class HalfType, class ValueType>
struct WidenedInput {
  using Label = LabelType;
  using Value = ValueType;
  static_assert(std::is_same_v<Value, float> || std::is_same_v<Value, uint32_t>);
  const Label* labels;
  const HalfType* values;

  __device__ Label label(uint64_t i) const { return labels[i]; }
  __device__ Value value(uint64_t i) const { return widened(values[i]); }
  template <int kCount>
  bool is_aligned() const {
    return is_aligned_for_packs<Label, kCount>(labels) &&
           is_aligned_for_packs<HalfType, kCount>(values);
  }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
    load_pack(labels + first, label);
    HalfType halves[kCount];
    load_pack(values + first, halves);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      value[i] = widened(halves[i]);
    }
  }

 private:
  __device__ static Value widened(HalfType half) {
    const float wide = to_sum(half);
    Value value;
    memcpy(&value, &wide, sizeof value);
    return value;
  }
};

template <class Label, class Half>
WidenedInput<Label, Half, uint32_t> as_words(const WidenedInput<Label, Half, float>& input) {
  return {input.labels, input.values};
}

}  // namespace presort::gpu
