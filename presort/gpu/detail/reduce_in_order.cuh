// A multireduce that keeps the order of the inputs: for operators that do not commute, and for
// values that no atomic updates. Inputs are ordered, stably, by all bits of their labels, and the
// runs of equal labels reduced; or by all but the last few, for which warps have tables of buckets;
// or, of few inputs, tile by tile; few inputs into more buckets are sorted by CUB.
// The result is the same in every call, of floats as well. Values of more than kMostSortedBytes
// stay where they are: their indices are ordered.
#pragma once

#include <type_traits>

#include "presort/core/base/carver.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/detail/atomic_combine.cuh"
#include "presort/gpu/detail/presort.cuh"
#include "presort/gpu/device/last_writers.cuh"
#include "presort/gpu/device/ordered/reduce_parts.cuh"
#include "presort/gpu/device/ordered/reduce_runs.cuh"
#include "presort/gpu/device/ordered/sort_few.cuh"
#include "presort/gpu/device/ordered/sorted_tiles.cuh"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

inline constexpr size_t kMostSortedBytes = 16;

template <class M, class Value>
inline constexpr bool kReducesInOrder = !kUpdatesInAnyOrder<M, Value>;

// The item that is ordered along with a label: a value, or the number of its input.
template <class Value>
using OrderedItem = std::conditional_t<sizeof(Value) <= kMostSortedBytes, WordOf<Value>, uint32_t>;

// An input whose element i is the label of pair i and the value whose index pair i holds, stored
// plus 1.
template <class Numbers, class ValueType>
struct NumberedInput {
  using Label = typename Numbers::Label;
  using Value = ValueType;
  Numbers numbers;
  const Value* values;

  __device__ Label label(uint64_t i) const { return numbers.label(i); }
  template <int kCount>
  __device__ void load(uint64_t first, Label (&label)[kCount], Value (&value)[kCount]) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      label[i] = numbers.label(first + i);
      value[i] = values[numbers.value(first + i) - 1];
    }
  }
};

// Labels that CUB sorts where there are few: shorter ones name fewer buckets than there are inputs.
template <class Label>
inline constexpr bool kSortsFew = sizeof(Label) >= 4;

// Device arrays of a reduction in order.
template <class Label, class Value>
struct OrderedArrays {
  using Item = OrderedItem<Value>;
  using Presort = PresortArrays<Label, Item, GaplessOutput<Label, Item>>;
  Presort presort;                  // arrays of plans with a pre-sort
  SortedItems<Label> few;           // arrays of few inputs, which CUB sorts
  RunEnds<Label, Value> runs;       // arrays of a pre-sort by all bits of the labels
  PartEnds<Label, Value> parts;     // arrays of a pre-sort by fewer bits than all, or of none
  SortedTiles<Label, Value> tiles;  // arrays of few inputs, which are sorted tile by tile

  // Takes the scratch arrays of a reduction in order. Requires: n >= 1
  static OrderedArrays take(Carver& carver, const GpuPlan& plan, uint64_t n, uint64_t m) {
    OrderedArrays arrays;
    if (sorts_tiles(plan, n, m)) {
      arrays.tiles = SortedTiles<Label, Value>::take(carver, n, m, false);
      return arrays;
    }
    if (sorts_few(plan, n, m)) {
      if constexpr (kSortsFew<Label>) {
        arrays.few = SortedItems<Label>::take(carver, n, label_bits(m));
      }
    } else if (plan.presort) {
      arrays.presort = Presort::take(carver, plan, n, Order::stable);
    }
    const DeviceLimits device = current_device_limits();
    const int table_bits = bits_left(plan, m);
    if (table_bits == 0) {
      const auto slices = divide_runs<Label, Value>(device, n);
      arrays.runs.labels = carver.take<Label>(2 * slices.count);
      arrays.runs.values = carver.take<Value>(2 * slices.count);
    } else if constexpr (sizeof(Value) <= kMostTabledBytes) {
      const uint64_t tables = 2 * divide_parts<Label, Value>(device, n, PartBits{table_bits}).count;
      arrays.parts.parts = carver.take<PartOf<Label>>(tables);
      arrays.parts.tables = carver.take<Value>(tables << table_bits);
    }
    return arrays;
  }

  // True if a multireduce in order sorts its inputs tile by tile.
  static bool sorts_tiles(const GpuPlan& plan, uint64_t n, uint64_t m) {
    return gpu::sorts_tiles(plan, m, most_table_bits(sizeof(Value))) ||
           (!plan.presort && sorts_tiles_of_few(n, label_bits(m)) &&
            sizeof(Value) <= kMostTabledBytes);
  }
  // True if a multireduce in order has CUB sort its inputs: fewer inputs than buckets, ordered by
  // all bits of their labels, so few that launches take most of the time. µs into 2^24 buckets of 4
  // bytes, by CUB's sort and by three passes: n = 2^12 26, 105; 2^16 70, 114; 2^18 81, 126; 2^20
  // 132, 155; 2^22 324, 292 (one H100; three passes up to 2^20: one H200; 2026-11-25)
  static bool sorts_few(const GpuPlan& plan, uint64_t n, uint64_t m) {
    constexpr uint64_t kFewInputs = uint64_t{1} << 20;
    return kSortsFew<Label> && plan.presort && n < m && n <= kFewInputs && bits_left(plan, m) == 0;
  }
  // The number of low bits of a label that no pass orders by.
  static int bits_left(const GpuPlan& plan, uint64_t m) {
    return label_bits(m) - (plan.presort ? plan.presort->sort_bits : 0);
  }
};

// Reduces inputs that are ordered by all bits of their labels but the low ones. If low bits are
// left, warps have tables for them.
template <class Input, class Arrays, class M>
void reduce_ordered(cudaStream_t stream, const Input& input, uint64_t n,
                    std::span<typename Input::Value> buckets, const M& monoid, const GpuPlan& plan,
                    const Arrays& arrays) {
  const int table_bits = Arrays::bits_left(plan, buckets.size());
  if (table_bits == 0) {
    return reduce_runs(stream, input, n, buckets.data(), arrays.runs, monoid);
  }
  if constexpr (sizeof(typename Input::Value) <= kMostTabledBytes) {
    reduce_parts(stream, input, n, buckets.data(), buckets.size(), PartBits{table_bits},
                 arrays.parts, monoid);
  }
}

// Runs a reduction in the order of the inputs, with checked arguments. Requires: 1 <= n < 2^32;
// check_gpu_order accepts the plan
template <class Label, class Value, class M>
void reduce_in_order(cudaStream_t stream, const SeparateInput<Label, Value>& input, uint64_t n,
                     std::span<Value> buckets, const M& monoid, const GpuPlan& plan,
                     std::span<std::byte> scratch) {
  Carver carver(scratch.data());
  const auto arrays = OrderedArrays<Label, Value>::take(carver, plan, n, buckets.size());
  const int bits = label_bits(buckets.size());
  const auto reduce = [&](const auto& ordered) {
    reduce_ordered(stream, ordered, n, buckets, monoid, plan, arrays);
  };
  if (arrays.sorts_tiles(plan, n, buckets.size())) {
    if constexpr (sizeof(Value) <= kMostTabledBytes) {
      reduce_sorted_tiles<TileResults::none>(stream, input, n, buckets.data(), buckets.size(), bits,
                                             nullptr, arrays.tiles, monoid);
    }
  } else if (arrays.sorts_few(plan, n, buckets.size())) {
    if constexpr (kSortsFew<Label>) {
      const SeparateInput<Label, uint32_t> sorted{arrays.few.labels, arrays.few.items};
      if constexpr (sizeof(Value) == sizeof(uint32_t)) {
        sort_items(stream, input.labels, as_words(input).values, n, bits, arrays.few);
        reduce_runs(stream,
                    SeparateInput<Label, Value>{sorted.labels,
                                                reinterpret_cast<const Value*>(sorted.values)},
                    n, buckets.data(), arrays.runs, monoid);
      } else {
        sort_numbers(stream, input.labels, n, bits, arrays.few);
        reduce_runs(stream,
                    NumberedInput<SeparateInput<Label, uint32_t>, Value>{sorted, input.values}, n,
                    buckets.data(), arrays.runs, monoid);
      }
    }
  } else if (!plan.presort) {
    reduce(input);
  } else if constexpr (sizeof(Value) <= kMostSortedBytes) {
    const auto out = run_stable_presort(stream, as_words(input), n, arrays.presort, plan, bits);
    reduce(typed_input<Value>(out));
  } else {
    const auto out = run_stable_presort(stream, IndexedInput<Label, uint32_t>{input.labels}, n,
                                        arrays.presort, plan, bits);
    const auto numbers = out.input();
    reduce(NumberedInput<decltype(numbers), Value>{numbers, input.values});
  }
}

}  // namespace presort::gpu
