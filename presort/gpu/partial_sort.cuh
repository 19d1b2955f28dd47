// Orders pairs by the top bits of their labels, stably, on a GPU.
//   const std::span<const Pair<uint32_t, float>> ordered =
//       gpu::partial_sort(stream, labels, values, m, parse_gpu_plan("sortBits=10"), scratch);
// Shapes:   labels[n], values[n]; scratch[partial_sort_scratch_bytes<Label, Value>(plan, n, m)];
//           all in device memory
// Returns:  the n ordered pairs, inside the scratch
// Units:    n in elements; the scratch in bytes, aligned to 64
// Requires: labels[i] < m; no overlap; values of any trivially copyable type; a plan with a
//           pre-sort
// Errors:   PlanError when labels and values differ in length, the plan does not fit problem or
//           device, or the scratch is too small or misaligned; EnvironmentError with CUDA's own
//           words when a launch is refused
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits
// Plans:    sortBits, in passes of up to 11 bits; what the plan says of buckets does not matter
// Source:   Eilers 2014, §4.3; Adinets and Merrill 2022
#pragma once

#include <span>

#include "presort/gpu/checked_plan.cuh"
#include "presort/gpu/detail/presort.cuh"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// Most inputs of a partial sort, as inputs are counted in 32 bits
inline constexpr uint64_t kMostInputsOfSort = (uint64_t{1} << 32) - 1;

// Bytes of scratch that the plan of a partial sort needs. Errors: PlanError
template <class Label, class Value>
size_t partial_sort_scratch_bytes(GpuPlanArgument plan, uint64_t n, uint64_t m) {
  check_labels_reach(m, sizeof(Label));
  plan.check_for({GpuKernels::sort, m, sizeof(Value)});
  if (n > kMostInputsOfSort) {
    throw PlanError("n: found " + std::to_string(n) + " inputs, accepted: fewer than 2^32");
  }
  Carver carver;
  PresortArrays<Label, Value>::take(carver, *plan, n, Order::stable);
  return carver.used_bytes();
}

template <class Label, class Value>
std::span<const Pair<Label, Value>> partial_sort(cudaStream_t stream, std::span<const Label> labels,
                                                 std::span<const Value> values, uint64_t m,
                                                 GpuPlanArgument plan,
                                                 std::span<std::byte> scratch) {
  check_same_length("values", values.size(), labels.size());
  const size_t n = labels.size();
  check_scratch(scratch, partial_sort_scratch_bytes<Label, Value>(plan, n, m));
  if (n == 0) {
    return {};
  }
  Carver carver(scratch.data());
  const auto arrays = PresortArrays<Label, Value>::take(carver, *plan, n, Order::stable);
  const SeparateInput<Label, Value> input{labels.data(), values.data()};
  return {run_stable_presort(stream, input, n, arrays, *plan, label_bits(m)).pairs, n};
}

}  // namespace presort::gpu
