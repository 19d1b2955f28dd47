// Numbers the inputs of each label: results[i] = counts[labels[i]] + the number of j < i with
// labels[j] == labels[i]; to every count the number of its labels is then added. An exclusive
// multiscan of ones, without an array of values.
// Shapes:   labels[n], counts[m], results[n]; scratch[multitag_scratch_bytes<Label, Count>(plan, n,
//           m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; Count is unsigned and large enough
// Errors:   PlanError when labels and results differ in length, the plan does not fit (see below),
//           the scratch is too small or misaligned, or the team has not the plan's number of
//           threads; SpanError when an array is misaligned, or one that is written overlaps
//           another; with Checks::on LabelError with the first label that is not below m;
//           EnvironmentError when threads cannot be started; all before anything is written.
//           Nothing that grows with n or m is allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; the
//           results do not depend on their number
// Plans:    as of multiscan: direct, privateTables, or with a pre-sort of 1 or 2 passes
// Source:   Eilers 2014, §1.2 (multitagging), alg. 2.3 and 2.6
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "presort/core/monoid.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/detail/label_plan.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/detail/unsorted_run.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/threads/call_team.h"

namespace presort::inline v0::cpu {

// Bytes of scratch that multitag needs with this plan for n inputs and m buckets.
// Requires: check_plan(plan, problem) passes
template <class Label, class Count>
size_t multitag_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  return label_plan_scratch_bytes<Label, Count>(plan, n, m);
}

template <class Label, class Count>
void multitag(std::span<const Label> labels, std::span<Count> counts, std::span<Count> results,
              CpuPlanArgument plan, std::span<std::byte> scratch, ThreadTeam& threads,
              Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && std::is_unsigned_v<Count>);
  const size_t n = labels.size();
  check_label_plan<Label, Count>(Operation::multitag, plan, n, results.size(), counts.size(),
                                 scratch);
  if (n == 0) {
    return;
  }
  check_team(*plan, threads);
  check_spans({placed("labels", labels), placed("counts", counts), placed("results", results),
               placed("scratch", scratch)});
  check_labels_if(checks, labels, counts.size(), threads);
  using Results = ResultArray<RawMemory, Count>;
  using Update = ScanUpdate<Scan::exclusive, Sum<Count>, Results>;
  if (execution_of(*plan) == Execution::bufferedPresort) {
    const auto kernel = [&](const auto& part, size_t count, const Results& to) {
      run_direct(part, count, counts.data(), Update{{}, to}, distances_of(*plan));
    };
    return run_label_presort(labels, counts.size(), results, kernel, *plan, scratch, threads);
  }
  Carver carver(scratch.data());
  run_unsorted(LabelInput<RawMemory, Label, Count>{labels.data()}, n, counts,
               Update{{}, {results.data()}}, *plan, carver, threads);
}

template <class Label, class Count>
void multitag(std::span<const Label> labels, std::span<Count> counts, std::span<Count> results,
              CpuPlanArgument plan, std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_label_plan<Label, Count>(Operation::multitag, plan, labels.size(), results.size(),
                                 counts.size(), scratch);
  ThreadTeam threads(team_size(*plan, labels.size()));
  multitag(labels, counts, results, plan, scratch, threads, checks);
}

}  // namespace presort::cpu
