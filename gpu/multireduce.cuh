// Reduces values into buckets on a GPU: buckets[k] = buckets[k] ⊙ (v[j] for every j with
// labels[j] == k).
// Shapes:   labels[n], values[n], buckets[m]; workspace[multireduce_workspace_bytes(plan, n, m)];
// all
//           in device memory
// Units:    n, m in elements; the workspace in bytes, aligned to 64
// Requires: labels[j] < m; no overlap; ⊙ commutes; values of 4 or 8 bytes
// Errors:   PlanError when labels and values differ in length, the plan does not fit problem or
//           device, or the workspace is too small or misaligned, before anything is launched;
//           EnvironmentError with CUDA's own words when a launch is refused
// Order:    any; sums of floats differ from run to run by rounding
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits, so a graph can
//           capture it
// Plans:    strategy=sharedSets, tables in shared memory, of as many ranges of buckets as
// rangePasses
//           says (0: as few as fit), each bucket nSets times; strategy=globalSets, atomics in the
//           L2; or with a pre-sort of up to 14 bits in one or two passes: then sharedSets has a
//           table for the buckets of a part
// Source:   Eilers 2014, §4.1 to §4.3
#pragma once

#include <span>
#include <string>

#include "core/carver.h"
#include "core/monoid.h"
#include "core/plan.h"
#include "gpu/device/update_global.cuh"
#include "gpu/device/update_parts.cuh"
#include "gpu/device/update_shared.cuh"
#include "gpu/plan_check.h"
#include "gpu/presort.cuh"

namespace presort::gpu {

// Bytes of workspace that the plan needs for n inputs.
// Errors: PlanError as above
template <class Label, class Value>
size_t multireduce_workspace_bytes(const Plan& plan, uint64_t n, uint64_t m) {
  check_gpu_plan(plan, {n, m, sizeof(Value)}, current_device_limits());
  Carver carver;
  if (n > 0 && plan.presort) {
    PresortArrays<Label, WordOf<Value>>::take(carver, plan, n, Order::any);
  }
  return carver.used_bytes();
}

// The same of any input: of values, or of ones.
template <class Input, class M>
void update_buckets(cudaStream_t stream, const Input& input, uint64_t n,
                    std::span<typename Input::Value> buckets, const M& monoid, const Plan& plan,
                    std::span<std::byte> workspace) {
  using Label = typename Input::Label;
  using Value = typename Input::Value;
  const DeviceLimits device = current_device_limits();
  const uint64_t m = buckets.size();
  if (!plan.presort) {
    if (plan.base.strategy == Strategy::globalSets) {
      return update_global(stream, input, n, buckets.data(), monoid);
    }
    return update_shared(
        stream, input, n, buckets.data(), m,
        divide_buckets(m, ranges_of(plan, m, sizeof(Value), device), plan.base.n_sets), monoid);
  }
  // A partition moves bits: values of one size are one type to it.
  using Word = WordOf<Value>;
  Carver carver(workspace.data());
  const auto arrays = PresortArrays<Label, Word>::take(carver, plan, n, Order::any);
  const int bits = label_bits(m);
  const auto* pairs = run_any_presort(stream, as_words(input), n, arrays, plan, bits);
  const PairedInput<Label, Value> ordered{pairs};
  if (plan.base.strategy == Strategy::globalSets) {
    return update_global(stream, ordered, n, buckets.data(), monoid);
  }
  const int sort_bits = plan.presort->sort_bits;
  update_parts(stream, ordered, n, buckets.data(), m, arrays.begins,
               Digit{.shift = bits - sort_bits, .bits = sort_bits}, monoid);
}

template <class Label, class Value, Monoid<Value> M>
void multireduce(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets, const M& monoid, const Plan& plan,
                 std::span<std::byte> workspace) {
  static_assert(M::is_commutative);
  check_same_length("values", values.size(), labels.size());
  check_workspace(workspace,
                  multireduce_workspace_bytes<Label, Value>(plan, labels.size(), buckets.size()));
  if (!labels.empty()) {
    update_buckets(stream, SeparateInput<Label, Value>{labels.data(), values.data()}, labels.size(),
                   buckets, monoid, plan, workspace);
  }
}

}  // namespace presort::gpu
