// Writes values to buckets on a GPU.
//   scatter      buckets[k] = v[j] for the last j with labels[j] == k: the same in every call
//   scatter_any  buckets[k] = v[j] for any such j, maybe another one in each call
// Buckets without a label keep what they hold.
// Shapes:   labels[n], values[n], buckets[m]; scratch[scatter_scratch_bytes(plan, n, m)]; all in
//           device memory
// Units:    n, m in elements; the scratch in bytes, aligned to 64
// Requires: labels[j] < m; no overlap; values of any trivially copyable type
// Errors:   as multireduce
// Stream:   as multireduce
// Plans:    scatter: as multireduce. The last writer of a bucket is the maximum of the indices with
//           its label, which is found by any plan of a multireduce from the labels alone; then each
//           bucket takes one value, from anywhere in the array. With strategy=sharedSets after a
//           pre-sort in two passes, which suits more buckets, labels are pre-sorted stably with
//           their values, and what a bucket takes is near what its neighbours take. Of sixteen
//           times as many buckets as inputs, with any plan: three steps for each input
//           (gpu/device/scatter_few.cuh). scatter_any: no plan, no scratch
// Source:   Eilers 2014, alg. 2.1 and §4.2
#pragma once

#include <type_traits>

#include "presort/gpu/device/assign_parts.cuh"
#include "presort/gpu/device/last_writers.cuh"
#include "presort/gpu/device/scatter_few.cuh"
#include "presort/gpu/device/store_any.cuh"
#include "presort/gpu/multireduce.cuh"

namespace presort::inline v0::gpu {

// The arrays of a scatter in device memory: the last writers, and the arrays for finding them.
// take() requires: the plan is checked for GpuKernels::update
template <class Label>
struct ScatterArrays {
  using Index = uint32_t;
  Index* last = nullptr;  // last[m]: index of the label's last input + 1, or 0 for none
  std::byte* scratch = nullptr;
  size_t scratch_bytes = 0;

  static ScatterArrays take(Carver& carver, const GpuPlan& plan, uint64_t n, uint64_t m) {
    ScatterArrays arrays;
    arrays.last = carver.take<Index>(m);
    Carver update;
    take_update_arrays<Label, Index>(update, plan, n);
    arrays.scratch_bytes = update.used_bytes();
    arrays.scratch = carver.take<std::byte>(arrays.scratch_bytes);
    return arrays;
  }
};

// Scratch of a scatter of ordered pairs, whose values are words.
// take() requires: the plan is checked for GpuKernels::update
template <class Label, class Word>
struct OrderedScatterArrays {
  using Index = uint32_t;
  Index* last =
      nullptr;  // last[m]: for parts cut by slices, place of a bucket's last pair + 1, or 0
  uint64_t* begins = nullptr;  // begins[parts + 1]: index of the first pair of each part
  PresortArrays<Label, Word> presort;

  static OrderedScatterArrays take(Carver& carver, const GpuPlan& plan, uint64_t n, uint64_t m) {
    OrderedScatterArrays arrays;
    arrays.last = carver.take<Index>(m);
    arrays.begins = carver.take<uint64_t>((uint64_t{1} << plan.presort->sort_bits) + 1);
    if (n > 0) {
      arrays.presort = PresortArrays<Label, Word>::take(carver, plan, n, Order::stable);
    }
    return arrays;
  }
};

// True if a plan pre-sorts values along with the labels (one table holds the buckets of a part).
inline bool scatters_ordered_pairs(const GpuPlan& plan, uint64_t m) {
  return plan.presort && plan.presort->passes > 1 && plan.strategy == GpuStrategy::sharedSets &&
         ranges_of_part(plan, m, sizeof(uint32_t), current_device_limits()) == 1;
}

// Bytes of scratch that the plan needs. Inputs are scattered slice by slice, each slice overwrites
// what earlier slices have written, because indices have 32 bits.
// Errors: PlanError
template <class Label, class Value>
size_t scatter_scratch_bytes(GpuPlanArgument plan, uint64_t n, uint64_t m) {
  check_labels_reach(m, sizeof(Label));
  plan.check_for({GpuKernels::update, m, sizeof(uint32_t)});
  const uint64_t inputs = std::min(n, kMostInputsOfPresort);
  Carver carver;
  if (scatters_few(n, m)) {
    carver.take<uint32_t>(m);
  } else if (scatters_ordered_pairs(*plan, m)) {
    OrderedScatterArrays<Label, WordOf<Value>>::take(carver, *plan, inputs, m);
  } else {
    ScatterArrays<Label>::take(carver, *plan, inputs, m);
  }
  return carver.used_bytes();
}

template <class Label, class Value>
void scatter_by_last(cudaStream_t stream, std::span<const Label> labels,
                     std::span<const Value> values, std::span<Value> buckets, const GpuPlan& plan,
                     std::span<std::byte> scratch) {
  Carver carver(scratch.data());
  const auto arrays = ScatterArrays<Label>::take(carver, plan, labels.size(), buckets.size());
  PRESORT_CUDA(cudaMemsetAsync(arrays.last, 0, buckets.size() * sizeof(uint32_t), stream));
  update_buckets(stream, IndexedInput<Label, uint32_t>{labels.data()}, labels.size(),
                 std::span<uint32_t>{arrays.last, buckets.size()}, Max<uint32_t>{}, plan,
                 {arrays.scratch, arrays.scratch_bytes});
  assign_last(stream, arrays.last, ValueArray<Value>{values.data()}, buckets.data(),
              buckets.size());
}

template <class Label, class Value>
void scatter_ordered_pairs(cudaStream_t stream, std::span<const Label> labels,
                           std::span<const Value> values, std::span<Value> buckets,
                           const GpuPlan& plan, std::span<std::byte> scratch) {
  using Word = WordOf<Value>;
  using PairType = Pair<Label, Word>;
  const uint64_t n = labels.size();
  const uint64_t m = buckets.size();
  Carver carver(scratch.data());
  const auto arrays = OrderedScatterArrays<Label, Word>::take(carver, plan, n, m);
  const SeparateInput<Label, Value> input{labels.data(), values.data()};
  const int bits = label_bits(m);
  const int sort_bits = plan.presort->sort_bits;
  const PairType* pairs =
      run_stable_presort(stream, as_words(input), n, arrays.presort, plan, bits).pairs;
  const Digit top = {.shift = bits - sort_bits, .bits = sort_bits};
  find_begins(stream, pairs, n, arrays.begins, top);
  assign_parts(stream, pairs, n, buckets.data(), m, arrays.begins, top, arrays.last);
}

template <class Label, class Value>
void scatter(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
             std::span<Value> buckets, GpuPlanArgument plan, std::span<std::byte> scratch) {
  static_assert(std::is_trivially_copyable_v<Value>);
  check_same_length("values", values.size(), labels.size());
  check_scratch(scratch, scatter_scratch_bytes<Label, Value>(plan, labels.size(), buckets.size()));
  for_each_slice(labels.size(), kMostInputsOfPresort, [&](uint64_t first, uint64_t count) {
    const auto some_labels = labels.subspan(first, count);
    const auto some_values = values.subspan(first, count);
    if (scatters_few(labels.size(), buckets.size())) {
      Carver carver(scratch.data());
      scatter_few(stream, some_labels.data(), some_values.data(), count, buckets.data(),
                  carver.take<uint32_t>(buckets.size()));
    } else if (scatters_ordered_pairs(*plan, buckets.size())) {
      scatter_ordered_pairs(stream, some_labels, some_values, buckets, *plan, scratch);
    } else {
      scatter_by_last(stream, some_labels, some_values, buckets, *plan, scratch);
    }
  });
}

template <class Label, class Value>
void scatter_any(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets) {
  static_assert(std::is_trivially_copyable_v<Value>);
  check_same_length("values", values.size(), labels.size());
  check_labels_reach(buckets.size(), sizeof(Label));
  if (!labels.empty()) {
    store_any(stream, SeparateInput<Label, Value>{labels.data(), values.data()}, labels.size(),
              buckets.data());
  }
}

}  // namespace presort::gpu
