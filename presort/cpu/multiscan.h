// Scans per label, in the order of the inputs. With k = labels[i]:
//   exclusive   results[i] = buckets[k] ⊙ (values[j] for every j < i with labels[j] == k)
//   inclusive   results[i] = buckets[k] ⊙ (values[j] for every j <= i with labels[j] == k)
// The buckets are then what multireduce would make of them, so that one call can go on where another
// ended.
// Shapes:   labels[n], values[n], buckets[m], results[n];
//           scratch[multiscan_scratch_bytes<Label, Value>(*plan, n, m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; Value is trivially copyable
// Errors:   PlanError when labels, values and results differ in length, the plan does not fit (see
//           below), the scratch is too small or misaligned, or the team has not the plan's number
//           of threads; SpanError when an array is misaligned, or one that is written overlaps
//           another; with Checks::on LabelError with the first label that is not below m;
//           EnvironmentError when threads cannot be started; all before anything is written. Then
//           what ⊙ throws, results and buckets being in some state between. Nothing that grows with
//           n or m is allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; the
//           results do not depend on their number
// Order:    that of the inputs, so ⊙ need not commute; one by one from left to right, so it need
//           not associate either, but with privateTables, which groups the inputs of a bucket by
//           thread and refuses an ⊙ that does not
// Plans:    strategy=direct, with or without software prefetch: each thread scans the inputs of a
//           range of buckets. strategy=privateTables, of up to 2^20 buckets: a share of the inputs
//           (scan_tables.h). With a pre-sort of 1 or 2 passes labels and values are partitioned,
//           each part is scanned in place of its values, and the results are permuted back
// Source:   Eilers 2014, alg. 2.3; 2.5 carries the index of every input along, and stores its
//           result there. This library goes back as alg. 2.6 does: the partition is stable, and the
//           labels are still there
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "presort/core/monoid.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/detail/grouping.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/detail/unsorted_run.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/presort/permuted_presort.h"
#include "presort/cpu/presort/presort.h"

namespace presort::inline v0::cpu {

// Bytes of scratch that multiscan needs with this plan for n inputs and m buckets.
// Requires: check_plan(plan, problem) passes
// Errors:   EnvironmentError naming n and m when 64 bits do not hold them
template <class Label, class Value>
size_t multiscan_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  if (n == 0 || execution_of(plan) != Execution::privateTables) {
    return update_scratch_bytes<Label, Value>(plan, n, m);
  }
  Carver carver;
  ScanTables<Value>::take(carver, static_cast<size_t>(plan.resources.threads), m);
  return measured_bytes(carver, n, m);
}

// Checks the arguments of a scan. Errors: PlanError when the arrays differ in length, the plan does
// not fit, or the scratch is too
//         small or not aligned to 64 bytes
template <class Label, class Value>
void check_multiscan(CpuPlanArgument& plan, size_t labels, size_t values, size_t results, size_t m,
                     std::span<const std::byte> scratch) {
  check_lengths("labels", labels, "values", values);
  check_lengths("labels", labels, "results", results);
  if (labels > 0) {
    check_plan_for<Label>(Operation::multiscan, plan, labels, m);
    check_scratch(scratch, multiscan_scratch_bytes<Label, Value>(*plan, labels, m));
  }
}

template <Scan kScan, class Label, class Value, Monoid<Value> M>
void multiscan(std::span<const Label> labels, std::span<const Value> values,
               std::span<Value> buckets, std::span<Value> results, const M& monoid,
               CpuPlanArgument plan, std::span<std::byte> scratch, ThreadTeam& threads,
               Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label>, "labels are unsigned; choose.h takes signed ones");
  static_assert(std::is_trivially_copyable_v<Value> && std::is_default_constructible_v<Value>);
  const size_t n = labels.size();
  check_grouping<M>(*plan);
  check_multiscan<Label, Value>(plan, n, values.size(), results.size(), buckets.size(), scratch);
  if (n == 0) {
    return;
  }
  check_team(*plan, threads);
  check_spans({placed("labels", labels), placed("values", values), placed("buckets", buckets),
               placed("results", results), placed("scratch", scratch)});
  check_labels_if(checks, labels, buckets.size(), threads);

  const SeparateInput<RawMemory, Label, Value> input{labels.data(), values.data()};
  const ResultArray<RawMemory, Value> to{results.data()};
  Carver carver(scratch.data());
  if (execution_of(*plan) != Execution::bufferedPresort) {
    const ScanUpdate<kScan, M, ResultArray<RawMemory, Value>> update{monoid, to};
    return run_unsorted(input, n, buckets, update, *plan, carver, threads);
  }
  const auto kernel = [&]<class Results>(const auto& part, size_t count, const Results& place) {
    run_direct(part, count, buckets.data(), ScanUpdate<kScan, M, Results>{monoid, place},
               distances_of(*plan));
  };
  with_store<Label, Value>(*plan->presort, [&]<class Store>(Store) {
    auto team = take_team_arrays<Store>(carver, *plan, n, label_bits(buckets.size()));
    const std::array parts = {team[0].outputs[0].results(), team[0].outputs[1].results()};
    run_permuted(team, parts, kernel, input, n, to, threads);
  });
}

template <Scan kScan, class Label, class Value, Monoid<Value> M>
void multiscan(std::span<const Label> labels, std::span<const Value> values,
               std::span<Value> buckets, std::span<Value> results, const M& monoid,
               CpuPlanArgument plan, std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_grouping<M>(*plan);
  check_multiscan<Label, Value>(plan, labels.size(), values.size(), results.size(), buckets.size(),
                                scratch);
  ThreadTeam threads(team_size(*plan, labels.size()));
  multiscan<kScan>(labels, values, buckets, results, monoid, plan, scratch, threads, checks);
}

}  // namespace presort::cpu
