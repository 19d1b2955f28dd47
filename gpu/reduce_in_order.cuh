// A multireduce that keeps the order of the inputs: for operators that do not commute, and for
// values that no atomic updates. Inputs are ordered by all bits of their labels, stably, and the
// runs of equal labels reduced. The result is the same in every call, of floats as well. Values of
// more than kMostSortedBytes stay where they are: their indices are ordered.
#pragma once

#include <type_traits>

#include "core/carver.h"
#include "core/plan.h"
#include "gpu/atomic_combine.cuh"
#include "gpu/device/last_writers.cuh"
#include "gpu/device/reduce_runs.cuh"
#include "gpu/presort.cuh"

namespace presort::gpu {

inline constexpr size_t kMostSortedBytes = 16;

template <class M, class Value>
inline constexpr bool kReducesInOrder = !M::is_commutative || !kHasAtomics<Value>;

// What is ordered: values, or numbers of inputs.
template <class Value>
using OrderedItem = std::conditional_t<sizeof(Value) <= kMostSortedBytes, WordOf<Value>, uint32_t>;

// The label of a pair, and the value that it has the number of, plus 1.
template <class LabelType, class ValueType>
struct NumberedInput {
  using Label = LabelType;
  using Value = ValueType;
  const Pair<Label, uint32_t>* pairs;
  const Value* values;

  __device__ Label label(uint64_t i) const { return pairs[i].label; }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const auto pair = pairs[first + i];
      label[i] = pair.label;
      value[i] = values[pair.value - 1];
    }
  }
};

// What it keeps in device memory.
template <class Label, class Value>
struct OrderedArrays {
  PresortArrays<Label, OrderedItem<Value>> presort;  // with a pre-sort
  RunEnds<Label, Value> ends;

  // Requires: n >= 1
  static OrderedArrays take(Carver& carver, const Plan& plan, uint64_t n) {
    OrderedArrays arrays;
    if (plan.presort) {
      arrays.presort =
          PresortArrays<Label, OrderedItem<Value>>::take(carver, plan, n, Order::stable);
    }
    const auto slices = divide_runs<Label, Value>(current_device_limits(), n);
    arrays.ends.labels = carver.take<Label>(2 * slices.count);
    arrays.ends.values = carver.take<Value>(2 * slices.count);
    return arrays;
  }
};

// Requires: 1 <= n < 2^32; check_gpu_order accepts the plan
template <class Label, class Value, class M>
void reduce_in_order(cudaStream_t stream, const SeparateInput<Label, Value>& input, uint64_t n,
                     std::span<Value> buckets, const M& monoid, const Plan& plan,
                     std::span<std::byte> workspace) {
  Carver carver(workspace.data());
  const auto arrays = OrderedArrays<Label, Value>::take(carver, plan, n);
  const int bits = label_bits(buckets.size());
  if (!plan.presort) {
    reduce_runs(stream, input, n, buckets.data(), arrays.ends, monoid);
  } else if constexpr (sizeof(Value) <= kMostSortedBytes) {
    const auto* pairs = run_stable_presort(stream, as_words(input), n, arrays.presort, plan, bits);
    reduce_runs(stream, PairedInput<Label, Value>{pairs}, n, buckets.data(), arrays.ends, monoid);
  } else {
    const auto* pairs = run_stable_presort(stream, IndexedInput<Label, uint32_t>{input.labels}, n,
                                           arrays.presort, plan, bits);
    reduce_runs(stream, NumberedInput<Label, Value>{pairs, input.values}, n, buckets.data(),
                arrays.ends, monoid);
  }
}

}  // namespace presort::gpu
