// Reads a table at random: results[i] = table[labels[i]].
// Shapes:   labels[n], table[m], results[n]; scratch[gather_scratch_bytes<Label, Value>(plan, n,
//           m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; Value is trivially copyable
// Errors:   PlanError when labels and results differ in length, the plan does not fit (see below),
//           the scratch is too small or misaligned, or the team has not the plan's number of
//           threads; SpanError when an array is misaligned, or one that is written overlaps
//           another; with Checks::on LabelError with the first label that is not below m;
//           EnvironmentError when threads cannot be started; all before anything is written.
//           Nothing that grows with n or m is allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; the
//           results do not depend on their number
// Plans:    strategy=direct, with or without software prefetch: each thread reads for a share of
//           the labels. With a pre-sort of 1 or 2 passes the labels are partitioned, each part is
//           gathered, and the results are permuted back
// Source:   Eilers 2014, alg. 2.6
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/detail/label_plan.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/threads/call_team.h"

namespace presort::inline v0::cpu {

// Bytes of scratch that gather needs with this plan for n inputs and a table of m elements.
// Requires: check_plan(plan, problem) passes
template <class Label, class Value>
size_t gather_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  return label_plan_scratch_bytes<Label, Value>(plan, n, m);
}

template <class Label, class Value>
void gather(std::span<const Label> labels, std::span<const Value> table, std::span<Value> results,
            CpuPlanArgument plan, std::span<std::byte> scratch, ThreadTeam& threads,
            Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && std::is_trivially_copyable_v<Value>);
  const size_t n = labels.size();
  check_label_plan<Label, Value>(Operation::gather, plan, n, results.size(), table.size(), scratch);
  if (n == 0) {
    return;
  }
  check_team(*plan, threads);
  check_spans({placed("labels", labels), placed("table", table), placed("results", results),
               placed("scratch", scratch)});
  check_labels_if(checks, labels, table.size(), threads);

  const auto kernel = [&](const auto& part, size_t count, const auto& part_results) {
    run_direct(part, count, table.data(), GatherUpdate<ResultArray<RawMemory, Value>>{part_results},
               distances_of(*plan));
  };
  if (execution_of(*plan) == Execution::bufferedPresort) {
    return run_label_presort(labels, table.size(), results, kernel, *plan, scratch, threads);
  }
  const LabelInput<RawMemory, Label, Value> input{labels.data()};
  const ResultArray<RawMemory, Value> to{results.data()};
  threads.run([&](size_t t) {
    const Share own = share_of(n, t, threads.size());
    carries_out<phase::UpdateAll, Label>();
    kernel(input.from(own.first), own.count(), to.from(own.first));
  });
}

template <class Label, class Value>
void gather(std::span<const Label> labels, std::span<const Value> table, std::span<Value> results,
            CpuPlanArgument plan, std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_label_plan<Label, Value>(Operation::gather, plan, labels.size(), results.size(),
                                 table.size(), scratch);
  ThreadTeam threads(team_size(*plan, labels.size()));
  gather(labels, table, results, plan, scratch, threads, checks);
}

}  // namespace presort::cpu
