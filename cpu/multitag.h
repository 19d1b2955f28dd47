// Numbers the inputs of each label: results[i] = counts[labels[i]] + the number of j < i with
// labels[j] == labels[i]; to every count the number of its labels is then added. An exclusive
// multiscan of ones, without an array of values.
// Shapes:   labels[n], counts[m], results[n]; scratch[multitag_scratch_bytes<Label, Count>(plan, n,
//           m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; no overlap; Count is unsigned and large enough
// Errors:   PlanError when labels and results differ in length, the plan does not fit (see below),
//           or the scratch is too small or misaligned; with Checks::on LabelError with the first
//           label that is not below m; all before anything is written. Nothing is allocated.
// Threads:  1; plans with more are refused
// Plans:    as of gather: direct, or with a pre-sort of 1 or 2 passes
// Source:   Eilers 2014, §1.2 (multitagging), alg. 2.3 and 2.6
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "core/monoid.h"
#include "cpu/arguments.h"
#include "cpu/check_labels.h"
#include "cpu/direct_run.h"
#include "cpu/label_plan.h"
#include "cpu/phases/update.h"
#include "cpu/results.h"

namespace presort::cpu {

// Bytes of scratch that the plan needs for n inputs and m buckets.
// Requires: check_plan(plan, problem) passes
template <class Label, class Count>
size_t multitag_scratch_bytes(const Plan& plan, size_t n, size_t m) {
  return label_plan_scratch_bytes<Label, Count>(plan, n, m);
}

template <class Label, class Count>
void multitag(std::span<const Label> labels, std::span<Count> counts, std::span<Count> results,
              const Plan& plan, std::span<std::byte> scratch, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && std::is_unsigned_v<Count>);
  check_lengths("labels", labels.size(), "results", results.size());
  if (labels.empty()) {
    return;
  }
  check_plan_for<Label>(Operation::multitag, plan, labels.size(), counts.size());
  check_scratch(scratch, multitag_scratch_bytes<Label, Count>(plan, labels.size(), counts.size()));
  check_labels_if(checks, labels, counts.size());
  const auto kernel = [&]<class Results>(const auto& part, size_t count, const Results& to) {
    run_direct(part, count, counts.data(), ScanUpdate<Scan::exclusive, Sum<Count>, Results>{{}, to},
               distances_of(plan));
  };
  run_label_plan(labels, counts.size(), results, kernel, plan, scratch);
}

}  // namespace presort::cpu
