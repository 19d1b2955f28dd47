// Reads a table at random: results[i] = table[labels[i]].
// Shapes:   labels[n], table[m], results[n]; scratch[gather_scratch_bytes<Label, Value>(plan, n,
//           m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; no overlap; Value is trivially copyable
// Errors:   PlanError when labels and results differ in length, the plan does not fit (see below),
//           or the scratch is too small or misaligned; with Checks::on LabelError with the first
//           label that is not below m; all before anything is written. Nothing is allocated.
// Threads:  1; plans with more are refused
// Plans:    strategy=direct, with or without software prefetch. With a pre-sort of 1 or 2 passes
//           the labels are partitioned, each part is gathered, and the results are permuted back
// Source:   Eilers 2014, alg. 2.6
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "cpu/arguments.h"
#include "cpu/check_labels.h"
#include "cpu/direct_run.h"
#include "cpu/label_plan.h"
#include "cpu/phases/update.h"
#include "cpu/results.h"

namespace presort::cpu {

// Bytes of scratch that the plan needs for n inputs and a table of m.
// Requires: check_plan(plan, problem) passes
template <class Label, class Value>
size_t gather_scratch_bytes(const Plan& plan, size_t n, size_t m) {
  return label_plan_scratch_bytes<Label, Value>(plan, n, m);
}

template <class Label, class Value>
void gather(std::span<const Label> labels, std::span<const Value> table, std::span<Value> results,
            const Plan& plan, std::span<std::byte> scratch, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && std::is_trivially_copyable_v<Value>);
  check_lengths("labels", labels.size(), "results", results.size());
  if (labels.empty()) {
    return;
  }
  const size_t n = labels.size();
  check_plan_for<Label>(Operation::gather, plan, n, table.size());
  check_scratch(scratch, gather_scratch_bytes<Label, Value>(plan, n, table.size()));
  check_labels_if(checks, labels, table.size());

  const auto kernel = [&](const auto& part, size_t count, const auto& part_results) {
    run_direct(part, count, table.data(), GatherUpdate<ResultArray<RawMemory, Value>>{part_results},
               distances_of(plan));
  };
  run_label_plan(labels, table.size(), results, kernel, plan, scratch);
}

}  // namespace presort::cpu
