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
// its
//           label, which is found by any plan of a multireduce from the labels alone; then each
//           bucket takes one value. scatter_any: no plan, no workspace
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

inline constexpr uint64_t kMostShortIndices = (uint64_t{1} << 32) - 1;

// Bytes of workspace that the plan needs. Errors: PlanError
template <class Label>
size_t scatter_workspace_bytes(const Plan& plan, uint64_t n, uint64_t m) {
  Carver carver;
  if (n <= kMostShortIndices) {
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
  assign_last(stream, arrays.last, values.data(), buckets.data(), buckets.size());
}

template <class Label, class Value>
void scatter(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
             std::span<Value> buckets, const Plan& plan, std::span<std::byte> workspace) {
  static_assert(std::is_trivially_copyable_v<Value>);
  check_same_length("values", values.size(), labels.size());
  check_workspace(workspace, scatter_workspace_bytes<Label>(plan, labels.size(), buckets.size()));
  if (labels.empty()) {
    return;
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
