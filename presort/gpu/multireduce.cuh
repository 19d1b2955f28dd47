// Reduces values into buckets on a GPU: buckets[k] = buckets[k] ⊙ (v[j] for every j with
// labels[j] == k).
// Shapes:   labels[n], values[n], buckets[m]; scratch[multireduce_scratch_bytes(plan, n, m)];
//           all in device memory
// Units:    n, m in elements; the scratch in bytes, aligned to 64
// Types:    values of any trivially copyable type, buckets of the same; or values __half or
//           __nv_bfloat16 and buckets float, in which the sums are computed: ⊙ then is a Monoid of
//           float that commutes
// Requires: labels[j] < m; no overlap
// Errors:   PlanError when labels and values differ in length, the plan does not fit problem or
//           device, m is more than labels can name, or the scratch is too small or misaligned,
//           before anything is launched; EnvironmentError with CUDA's own words when a launch is
//           refused
// Order:    where ⊙ commutes and values have 4 or 8 bytes, or up to 16 in parts that are summed
//           by themselves (core/sum_of_parts.h), any: sums of floats differ from run to run by
//           rounding. Otherwise, and with InOrder<⊙> (core/in_order.h), that of the inputs: the
//           same bits in every call
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits, so a graph can
//           capture it
// Plans:    in any order: strategy=sharedSets, tables in shared memory, of as many ranges of
//           buckets as rangePasses says (0: as few as fit), each bucket nSets times;
//           strategy=globalSets, atomics in the L2; or with a pre-sort of up to 14 bits in one or
//           two passes: then sharedSets has tables for the buckets of a part, of as few ranges of
//           them as fit. One pass of 2^24 inputs or more goes to rooms that a sample of the labels
//           makes, for which the scratch is 2 to 13 % larger than the pairs of 2^28 inputs, 6 to
//           63 % than those of 2^24 (gpu/plan/labels/room_sample.h). In the order of the inputs:
//           strategy=sharedSets with a pre-sort by all bits of the labels, in passes of up to 11,
//           or by all but as many as a warp has a table for (most_table_bits, gpu/plan/limits.h);
//           of as few buckets as fit that table, without one; of up to kMostTiledInputs inputs
//           without one too, tile by tile in two launches (gpu/plan/ordered_plans.h)
// Source:   Eilers 2014, §4.1 to §4.3
#pragma once

#include <span>
#include <string>

#include "presort/core/base/carver.h"
#include "presort/core/in_order.h"
#include "presort/core/monoid.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/checked_plan.cuh"
#include "presort/gpu/detail/presort.cuh"
#include "presort/gpu/detail/reduce_in_order.cuh"
#include "presort/gpu/detail/sampled_presort.cuh"
#include "presort/gpu/detail/widened_input.cuh"
#include "presort/gpu/device/update_global.cuh"
#include "presort/gpu/device/update_parts.cuh"
#include "presort/gpu/device/update_shared.cuh"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// Most inputs that a pre-sort takes at a time, in slices one after the other: a digit's count has
// 32 bits. A multiple of every tile of packs, so that slices are aligned as the whole is.
inline constexpr uint64_t kMostInputsOfPresort = uint64_t{1} << 31;

// Takes the scratch arrays of a multireduce in any order. Requires: the plan is checked for
// GpuKernels::update
template <class Label, class Value>
void take_update_arrays(Carver& carver, const GpuPlan& plan, uint64_t n) {
  if constexpr (sizeof(Value) <= kMostPresortedBytes) {
    const uint64_t inputs = std::min(n, kMostInputsOfPresort);
    if (n > 0 && plan.presort && samples_room(plan, inputs)) {
      SampledArrays<Label, WordOf<Value>>::take(carver, plan, inputs);
    } else if (n > 0 && plan.presort) {
      using Word = WordOf<Value>;
      PresortArrays<Label, Word, GaplessOutput<Label, Word>>::take(carver, plan, inputs,
                                                                   Order::any);
    }
  }
}

// Bytes of scratch that the plan needs for n inputs.
// Errors: PlanError as multireduce
template <class Label, class Value, class M = Sum<Value>>
size_t multireduce_scratch_bytes(GpuPlanArgument plan, uint64_t n, uint64_t m) {
  check_labels_reach(m, sizeof(Label));
  Carver carver;
  if constexpr (kReducesInOrder<M, Value>) {
    plan.check_for({GpuKernels::reduceInOrder, m, sizeof(Value)});
    check_tiled_inputs(OrderedArrays<Label, Value>::sorts_tiles(*plan, n, m), n);
    const auto bytes_for = [&](uint64_t inputs) {
      Carver of_slice;
      if (inputs > 0) {
        OrderedArrays<Label, Value>::take(of_slice, *plan, inputs, m);
      }
      return of_slice.used_bytes();
    };
    return std::max(bytes_for(std::min(n, kMostInputsOfPresort)),
                    bytes_for(n % kMostInputsOfPresort));
  } else {
    plan.check_for({GpuKernels::update, m, sizeof(Value)});
    take_update_arrays<Label, Value>(carver, *plan, n);
  }
  return carver.used_bytes();
}

// Calls a function for each slice of the inputs, in order, with the slice's first input and number
// of inputs.
template <class Call>
void for_each_slice(uint64_t n, uint64_t most, const Call& call) {
  for (uint64_t first = 0; first < n; first += most) {
    call(first, std::min(most, n - first));
  }
}

// Multireduces inputs (labels with values, or with ones) in any order, after a pre-sort.
// Requires: n <= kMostInputsOfPresort; the plan has a pre-sort, and is checked
template <class Input, class M>
void update_presorted(cudaStream_t stream, const Input& input, uint64_t n,
                      std::span<typename Input::Value> buckets, const M& monoid,
                      const GpuPlan& plan, std::span<std::byte> scratch) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  // A partition only moves bits, so one type of word serves all values of a size.
  using Word = WordOf<Value>;
  const DeviceLimits device = current_device_limits();
  const uint64_t m = buckets.size();
  Carver carver(scratch.data());
  const int bits = label_bits(m);
  const int sort_bits = plan.presort->sort_bits;
  const uint32_t parts = 1u << sort_bits;
  const int ranges = ranges_of_part(plan, m, sizeof(Value), device);
  if (samples_room(plan, n)) {
    const auto arrays = SampledArrays<Label, Word>::take(carver, plan, n);
    run_sampled_presort(stream, as_words(input), input, n, arrays, plan, bits, buckets.data(),
                        monoid);
    return update_parts(stream, typed_input<Value>(arrays.out), n, buckets.data(), m,
                        {arrays.begins, arrays.ends, parts}, bits - sort_bits, ranges, monoid);
  }
  using Arrays = PresortArrays<Label, Word, GaplessOutput<Label, Word>>;
  const auto arrays = Arrays::take(carver, plan, n, Order::any);
  const auto out = run_any_presort(stream, as_words(input), n, arrays, plan, bits);
  const auto ordered = typed_input<Value>(out);
  if (plan.strategy == GpuStrategy::globalSets) {
    return update_global(stream, ordered, n, buckets.data(), monoid);
  }
  update_parts(stream, ordered, n, buckets.data(), m, {arrays.begins, arrays.begins + 1, parts},
               bits - sort_bits, ranges, monoid);
}

// Multireduces inputs (labels with values, or with ones) in any order.
// Requires: n <= kMostInputsOfPresort with a pre-sort
template <class Input, class M>
void update_buckets(cudaStream_t stream, const Input& input, uint64_t n,
                    std::span<typename Input::Value> buckets, const M& monoid, const GpuPlan& plan,
                    std::span<std::byte> scratch) {
  using Value = typename Input::Value;
  if constexpr (sizeof(Value) <= kMostPresortedBytes) {
    if (plan.presort) {
      return update_presorted(stream, input, n, buckets, monoid, plan, scratch);
    }
  }
  if (plan.strategy == GpuStrategy::globalSets) {
    return update_global(stream, input, n, buckets.data(), monoid);
  }
  const DeviceLimits device = current_device_limits();
  const uint64_t m = buckets.size();
  update_shared(stream, input, n, buckets.data(), m,
                divide_buckets(m, ranges_of(plan, m, sizeof(Value), device), plan.n_sets), monoid);
}

template <class Label, class Value, Monoid<Value> M>
void multireduce(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets, const M& monoid, GpuPlanArgument plan,
                 std::span<std::byte> scratch) {
  static_assert(std::is_unsigned_v<Label> && std::is_trivially_copyable_v<Value>);
  check_same_length("values", values.size(), labels.size());
  check_scratch(scratch,
                multireduce_scratch_bytes<Label, Value, M>(plan, labels.size(), buckets.size()));
  constexpr bool kInOrder = kReducesInOrder<M, Value>;
  const bool is_sliced = kInOrder || plan->presort;
  for_each_slice(
      labels.size(), is_sliced ? kMostInputsOfPresort : labels.size(),
      [&](uint64_t first, uint64_t count) {
        const SeparateInput<Label, Value> input{labels.data() + first, values.data() + first};
        if constexpr (kInOrder) {
          reduce_in_order(stream, input, count, buckets, monoid, *plan, scratch);
        } else {
          update_buckets(stream, input, count, buckets, monoid, *plan, scratch);
        }
      });
}

template <class Label, class Half, Monoid<float> M>
requires kIsHalf<Half>
void multireduce(cudaStream_t stream, std::span<const Label> labels, std::span<const Half> values,
                 std::span<float> buckets, const M& monoid, GpuPlanArgument plan,
                 std::span<std::byte> scratch) {
  static_assert(std::is_unsigned_v<Label> && !kReducesInOrder<M, float>);
  check_same_length("values", values.size(), labels.size());
  check_scratch(scratch,
                multireduce_scratch_bytes<Label, float, M>(plan, labels.size(), buckets.size()));
  for_each_slice(
      labels.size(), plan->presort ? kMostInputsOfPresort : labels.size(),
      [&](uint64_t first, uint64_t count) {
        const WidenedInput<Label, Half, float> input{labels.data() + first, values.data() + first};
        update_buckets(stream, input, count, buckets, monoid, *plan, scratch);
      });
}

}  // namespace presort::gpu
