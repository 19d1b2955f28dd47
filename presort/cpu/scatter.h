// Writes values to buckets.
//   scatter             buckets[k] = v[j] for the last j with labels[j] == k
//   scatter_any         buckets[k] = v[j] for any such j, maybe another one in each call: several
//                       threads need not agree on who was last
//   scatter_or_default  as scatter, and buckets without a label get a default value; with scatter and
//                       scatter_any they keep what they hold
// Shapes:   labels[n], values[n], buckets[m]; scratch[scatter_scratch_bytes<Label, Value>(plan, n,
//           m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[j] < m, checked with Checks::on; Value is trivially copyable
// Errors:   PlanError when labels and values differ in length, the plan does not fit, the scratch
//           is too small or misaligned, or the team has not the plan's number of threads; SpanError
//           when an array is misaligned, or one that is written overlaps another; with Checks::on
//           LabelError with the first label that is not below m; EnvironmentError when threads
//           cannot be started; all before anything is written. Nothing that grows with n or m is
//           allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; except
// for scatter_any, the result does not depend on their number
// Order:    the last write wins, with every plan
// Plans:    as for multireduce, without nSets
// Source:   Eilers 2014, alg. 2.1 and §2.4
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/detail/shared_direct.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/presort/presort.h"

namespace presort::inline v0::cpu {

// Bytes of scratch that scatter needs with this plan for n inputs and m buckets.
// Requires: check_plan(plan, problem) passes
// Errors:   EnvironmentError naming n and m when 64 bits do not hold them
template <class Label, class Value>
size_t scatter_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  return update_scratch_bytes<Label, Value>(plan, n, m);
}

template <class Label, class Value>
void scatter(std::span<const Label> labels, std::span<const Value> values, std::span<Value> buckets,
             CpuPlanArgument plan, std::span<std::byte> scratch, Checks checks = Checks::off) {
  run_plan(Operation::scatter, labels, values, buckets, AssignUpdate{}, plan, scratch, checks);
}

template <class Label, class Value>
void scatter(std::span<const Label> labels, std::span<const Value> values, std::span<Value> buckets,
             CpuPlanArgument plan, std::span<std::byte> scratch, ThreadTeam& threads,
             Checks checks = Checks::off) {
  run_plan(Operation::scatter, labels, values, buckets, AssignUpdate{}, plan, scratch, threads,
           checks);
}

// Writes any value of each label. With several threads and without pre-sort, private tables and
// range passes, each thread scatters a share of the inputs; scatter would have each thread read all
// inputs.
template <class Label, class Value>
void scatter_any(std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets, CpuPlanArgument plan, std::span<std::byte> scratch,
                 ThreadTeam& threads, Checks checks = Checks::off) {
  if (execution_of(*plan) != Execution::direct || threads.size() == 1 ||
      !can_store_shared<Value>()) {
    return scatter(labels, values, buckets, plan, scratch, threads, checks);
  }
  check_arguments<Label, Value>(Operation::scatter, plan, labels.size(), values.size(),
                                buckets.size(), scratch);
  if (labels.empty()) {
    return;
  }
  check_team(*plan, threads);
  check_spans({placed("labels", labels), placed("values", values), placed("buckets", buckets),
               placed("scratch", scratch)});
  check_labels_if(checks, labels, buckets.size(), threads);
  run_shared_direct(SeparateInput<RawMemory, Label, Value>{labels.data(), values.data()},
                    labels.size(), buckets.data(), SharedAssignUpdate{},
                    plain_distances(plan->base), threads);
}

template <class Label, class Value>
void scatter_any(std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets, CpuPlanArgument plan, std::span<std::byte> scratch,
                 Checks checks = Checks::off) {
  check_arguments<Label, Value>(Operation::scatter, plan, labels.size(), values.size(),
                                buckets.size(), scratch);
  ThreadTeam threads(team_size(*plan, labels.size()));
  scatter_any(labels, values, buckets, plan, scratch, threads, checks);
}

template <class Label, class Value>
void scatter_or_default(std::span<const Label> labels, std::span<const Value> values,
                        const Value& otherwise, std::span<Value> buckets, CpuPlanArgument plan,
                        std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_spans({placed("labels", labels), placed("values", values), placed("buckets", buckets),
               placed("scratch", scratch)});
  check_arguments<Label, Value>(Operation::scatter, plan, labels.size(), values.size(),
                                buckets.size(), scratch);
  if (labels.empty()) {
    return start_buckets(buckets, std::optional(otherwise));
  }
  ThreadTeam threads(team_size(*plan, labels.size()));
  run_plan(Operation::scatter, labels, values, buckets, AssignUpdate{}, plan, scratch, threads,
           checks, std::optional(otherwise));
}

}  // namespace presort::cpu
