// Writes values to buckets on a GPU.
//   scatter      buckets[k] = v[j] for the last j with labels[j] == k: the same in every call
//   scatter_any  … for any such j, maybe another one in each call
// Buckets without a label keep what they hold.
// Shapes:   labels[n], values[n], buckets[m]; workspace[scatter_workspace_bytes(plan, n, m)]; all
// in
//           device memory
// Units:    n, m in elements; the workspace in bytes, aligned to 64
// Requires: labels[j] < m; no overlap; values of any trivially copyable type
// Errors:   as multireduce
// Stream:   as multireduce
// Plans:    scatter: as multireduce. The last writer of a bucket is the maximum of the indices with
//           its label, which is found by any plan of a multireduce from the labels alone; then each
//           bucket takes one value, from anywhere in the array. With strategy=sharedSets after a
//           pre-sort in two passes, which is for more buckets than that is good for, labels are
//           pre-sorted stably with their values, and what a bucket takes is near what its
//           neighbours take. scatter_any: no plan, no workspace
// Source:   Eilers 2014, alg. 2.1 and §4.2
#pragma once

#include <type_traits>

#include "gpu/device/last_writers.cuh"
#include "gpu/device/store_any.cuh"
#include "gpu/multireduce.cuh"

namespace presort::gpu {

// What a scatter keeps in device memory: the last writers, and what finding them takes.
template <class Label, class Index>
struct ScatterArrays {
  Index* last = nullptr;  // [m]: index + 1, or 0
  std::byte* workspace = nullptr;
  size_t workspace_bytes = 0;

  static ScatterArrays take(Carver& carver, const Plan& plan, uint64_t n, uint64_t m) {
    ScatterArrays arrays;
    arrays.last = carver.take<Index>(m);
    arrays.workspace_bytes = multireduce_workspace_bytes<Label, Index>(plan, n, m);
    arrays.workspace = carver.take<std::byte>(arrays.workspace_bytes);
    return arrays;
  }
};

// The same of ordered pairs, of words.
template <class Label, class Word, class Index>
struct OrderedScatterArrays {
  Index* last = nullptr;       // [m]: place + 1, or 0
  uint64_t* begins = nullptr;  // [parts + 1]
  PresortArrays<Label, Word> presort;

  static OrderedScatterArrays take(Carver& carver, const Plan& plan, uint64_t n, uint64_t m) {
    check_gpu_plan(plan, {n, m, sizeof(Index)}, current_device_limits());
    OrderedScatterArrays arrays;
    arrays.last = carver.take<Index>(m);
    arrays.begins = carver.take<uint64_t>((uint64_t{1} << plan.presort->sort_bits) + 1);
    if (n > 0) {
      arrays.presort = PresortArrays<Label, Word>::take(carver, plan, n, Order::stable);
    }
    return arrays;
  }
};

inline bool scatters_ordered_pairs(const Plan& plan) {
  return plan.presort && plan.presort->passes > 1 && plan.base.strategy == Strategy::sharedSets;
}

inline constexpr uint64_t kMostShortIndices = (uint64_t{1} << 32) - 1;

// Bytes of workspace that the plan needs. Errors: PlanError
template <class Label, class Value>
size_t scatter_workspace_bytes(const Plan& plan, uint64_t n, uint64_t m) {
  Carver carver;
  if (scatters_ordered_pairs(plan)) {  // of fewer than 2^32 inputs
    OrderedScatterArrays<Label, WordOf<Value>, uint32_t>::take(carver, plan, n, m);
  } else if (n <= kMostShortIndices) {
    ScatterArrays<Label, uint32_t>::take(carver, plan, n, m);
  } else {
    ScatterArrays<Label, uint64_t>::take(carver, plan, n, m);
  }
  return carver.used_bytes();
}

template <class Index, class Label, class Value>
void scatter_by_last(cudaStream_t stream, std::span<const Label> labels,
                     std::span<const Value> values, std::span<Value> buckets, const Plan& plan,
                     std::span<std::byte> workspace) {
  Carver carver(workspace.data());
  const auto arrays =
      ScatterArrays<Label, Index>::take(carver, plan, labels.size(), buckets.size());
  PRESORT_CUDA(cudaMemsetAsync(arrays.last, 0, buckets.size() * sizeof(Index), stream));
  update_buckets(stream, IndexedInput<Label, Index>{labels.data()}, labels.size(),
                 std::span<Index>{arrays.last, buckets.size()}, Max<Index>{}, plan,
                 {arrays.workspace, arrays.workspace_bytes});
  assign_last(stream, arrays.last, ValueArray<Value>{values.data()}, buckets.data(),
              buckets.size());
}

template <class Label, class Value>
void scatter_ordered_pairs(cudaStream_t stream, std::span<const Label> labels,
                           std::span<const Value> values, std::span<Value> buckets,
                           const Plan& plan, std::span<std::byte> workspace) {
  using Index = uint32_t;
  using Word = WordOf<Value>;
  using PairType = Pair<Label, Word>;
  const uint64_t n = labels.size();
  const uint64_t m = buckets.size();
  Carver carver(workspace.data());
  const auto arrays = OrderedScatterArrays<Label, Word, Index>::take(carver, plan, n, m);
  const SeparateInput<Label, Value> input{labels.data(), values.data()};
  const int bits = label_bits(m);
  const int sort_bits = plan.presort->sort_bits;
  const PairType* pairs =
      run_stable_presort(stream, as_words(input), n, arrays.presort, plan, bits);
  const Digit top = {.shift = bits - sort_bits, .bits = sort_bits};
  find_begins(stream, pairs, n, arrays.begins, top);
  PRESORT_CUDA(cudaMemsetAsync(arrays.last, 0, m * sizeof(Index), stream));
  update_parts(stream, PlacedInput<PairType, Index>{pairs}, n, arrays.last, m, arrays.begins, top,
               Max<Index>{});
  assign_last(stream, arrays.last, PairedInput<Label, Value>{pairs}, buckets.data(), m);
}

template <class Label, class Value>
void scatter(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
             std::span<Value> buckets, const Plan& plan, std::span<std::byte> workspace) {
  static_assert(std::is_trivially_copyable_v<Value>);
  check_same_length("values", values.size(), labels.size());
  check_workspace(workspace,
                  scatter_workspace_bytes<Label, Value>(plan, labels.size(), buckets.size()));
  if (labels.empty()) {
    return;
  }
  if (scatters_ordered_pairs(plan)) {
    return scatter_ordered_pairs(stream, labels, values, buckets, plan, workspace);
  }
  if (labels.size() <= kMostShortIndices) {
    scatter_by_last<uint32_t>(stream, labels, values, buckets, plan, workspace);
  } else {
    scatter_by_last<uint64_t>(stream, labels, values, buckets, plan, workspace);
  }
}

template <class Label, class Value>
void scatter_any(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets) {
  static_assert(std::is_trivially_copyable_v<Value>);
  check_same_length("values", values.size(), labels.size());
  if (!labels.empty()) {
    store_any(stream, SeparateInput<Label, Value>{labels.data(), values.data()}, labels.size(),
              buckets.data());
  }
}

}  // namespace presort::gpu
