// Scans per label, in the order of the inputs. Exclusive: results[i] = buckets[k] ⊙ (v[j] for every
// j < i with labels[j] == k), k being labels[i]; inclusive: … ⊙ v[i]. The buckets are then what
// multireduce would make of them, so that one call can go on where another ended.
// Shapes:   labels[n], values[n], buckets[m], results[n];
//           scratch[multiscan_scratch_bytes<Label, Value>(plan, n, m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; no overlap; Value is trivially copyable
// Errors:   PlanError when labels, values and results differ in length, the plan does not fit (see
//           below), or the scratch is too small or misaligned; with Checks::on LabelError with the
//           first label that is not below m; all before anything is written. Then what ⊙ throws,
//           results and buckets being in some state between. Nothing is allocated.
// Threads:  1; plans with more are refused
// Order:    that of the inputs, one by one from left to right: ⊙ need neither commute nor associate
// Plans:    strategy=direct, with or without software prefetch. With a pre-sort of 1 or 2 passes
//           labels and values are partitioned, each part is scanned in place of its values, and the
//           results are permuted back
// Source:   Eilers 2014, alg. 2.3; 2.5 carries the index of every input along, and stores its
//           result there. This goes back as alg. 2.6 does: the partition is stable, and the labels
//           are still there
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "core/monoid.h"
#include "cpu/arguments.h"
#include "cpu/check_labels.h"
#include "cpu/direct_run.h"
#include "cpu/permuted_presort.h"
#include "cpu/phases/update.h"
#include "cpu/presort.h"
#include "cpu/results.h"

namespace presort::cpu {

// Bytes of scratch that the plan needs for n inputs and m buckets.
// Requires: check_plan(plan, problem) passes
template <class Label, class Value>
size_t multiscan_scratch_bytes(const Plan& plan, size_t n, size_t m) {
  return scratch_bytes<Label, Value>(plan, n, m);
}

template <Scan kScan, class Label, class Value, Monoid<Value> M>
void multiscan(std::span<const Label> labels, std::span<const Value> values,
               std::span<Value> buckets, std::span<Value> results, const M& monoid,
               const Plan& plan, std::span<std::byte> scratch, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label>);
  static_assert(std::is_trivially_copyable_v<Value> && std::is_default_constructible_v<Value>);
  check_lengths("labels", labels.size(), "values", values.size());
  check_lengths("labels", labels.size(), "results", results.size());
  if (labels.empty()) {
    return;
  }
  const size_t n = labels.size();
  check_plan_for<Label>(Operation::multiscan, plan, n, buckets.size());
  check_scratch(scratch, multiscan_scratch_bytes<Label, Value>(plan, n, buckets.size()));
  check_labels_if(checks, labels, buckets.size());

  const SeparateInput<RawMemory, Label, Value> input{labels.data(), values.data()};
  const ResultArray<RawMemory, Value> to{results.data()};
  const auto kernel = [&]<class Results>(const auto& part, size_t count, const Results& place) {
    run_direct(part, count, buckets.data(), ScanUpdate<kScan, M, Results>{monoid, place},
               distances_of(plan));
  };
  if (!plan.presort) {
    return kernel(input, n, to);
  }
  Carver carver(scratch.data());
  with_store<Label, Value>(*plan.presort, [&]<class Store>(Store) {
    const auto arrays = PresortArrays<Store>::take(carver, plan, n, label_bits(buckets.size()));
    const std::array parts = {arrays.outputs[0].results(), arrays.outputs[1].results()};
    with_flush(*plan.presort, [&]<Flush kFlush>(std::integral_constant<Flush, kFlush>) {
      run_permuted<kFlush>(arrays, parts, kernel, input, n, to);
    });
  });
}

}  // namespace presort::cpu
