// Reduces values into buckets: buckets[k] = buckets[k] ⊙ (v[j] for every j with labels[j] == k, in
// order of j).
// Shapes:   labels[n], values[n], buckets[m];
//           scratch[multireduce_scratch_bytes<Label, Value>(plan, n, m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[j] < m, checked with Checks::on; Value is trivially copyable
// Errors:   PlanError when labels and values differ in length, the plan does not fit, the scratch
//           is too small or misaligned, or the team has not the plan's number of threads; SpanError
//           when an array is misaligned, or one that is written overlaps another; with Checks::on
//           LabelError with the first label that is not below m; EnvironmentError when threads
//           cannot be started; all before anything is written. Then what ⊙ throws, the buckets
//           being in some state between. Nothing that grows with n or m is allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; the
//           result does not depend on their number
// Order:    that of the inputs, with every plan, so ⊙ need not commute. privateTables groups the
//           inputs of a bucket by thread, nSets=4 by quarters of the inputs, and both refuse an ⊙
//           that does not associate (core/monoid.h); all other plans fold them one by one
// Plans:    strategy=direct, with or without software prefetch, in one pass over the inputs or in
//           rangePasses, each for a range of the buckets; with nSets=4, of up to 2^16 buckets;
//           strategy=privateTables; or with a pre-sort
// Source:   Eilers 2014, alg. 2.2 and §2.4
#pragma once

#include <cstddef>
#include <span>

#include "presort/core/monoid.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/detail/grouping.h"
#include "presort/cpu/detail/set_reduce.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/presort/presort.h"

namespace presort::inline v0::cpu {

// Bytes of scratch that multireduce needs with this plan for n inputs and m buckets.
// Requires: check_plan(plan, problem) passes
// Errors:   EnvironmentError naming n and m when 64 bits do not hold them
template <class Label, class Value>
size_t multireduce_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  return update_scratch_bytes<Label, Value>(plan, n, m);
}

template <class Label, class Value, Monoid<Value> M>
void multireduce(std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets, const M& monoid, CpuPlanArgument plan,
                 std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_grouping<M>(*plan);
  run_plan(Operation::multireduce, labels, values, buckets, ReduceUpdate<M>{monoid}, plan, scratch,
           checks);
}

template <class Label, class Value, Monoid<Value> M>
void multireduce(std::span<const Label> labels, std::span<const Value> values,
                 std::span<Value> buckets, const M& monoid, CpuPlanArgument plan,
                 std::span<std::byte> scratch, ThreadTeam& threads, Checks checks = Checks::off) {
  check_grouping<M>(*plan);
  run_plan(Operation::multireduce, labels, values, buckets, ReduceUpdate<M>{monoid}, plan, scratch,
           threads, checks);
}

}  // namespace presort::cpu
