// Updates of buckets without a pre-sort, by one thread or several.
#pragma once

#include <cstddef>
#include <span>

#include "presort/core/base/carver.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/detail/owned_direct.h"
#include "presort/cpu/detail/private_tables.h"
#include "presort/cpu/detail/scan_tables.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::cpu {

// Updates the buckets with inputs [0, n).
// Requires: plan has no pre-sort; with tables, the carver has room for TableArrays, and ⊙
//           associates, as tables group the inputs of a bucket
template <class Input, class Value, class Update>
void run_unsorted(const Input& input, size_t n, std::span<Value> buckets, const Update& update,
                  const CpuPlan& plan, Carver& carver, ThreadTeam& threads) {
  const Distances distances = plain_distances(plan.base);
  if (execution_of(plan) == Execution::privateTables) {
    const auto arrays = TableArrays<Value>::take(carver, threads.size(), buckets.size());
    run_private_tables(arrays, input, n, buckets, update, distances, threads);
  } else {
    const auto passes = static_cast<size_t>(plan.base.range_passes);
    run_owned_direct(input, n, buckets, update, distances, passes, threads);
  }
}

// Runs an update that has a result for each input, in one pass over the inputs
// (core/plan/cpu_plan_check.cpp). ⊙ associates if the plan groups the inputs of a bucket.
// Requires: with tables, the carver has room for ScanTables
template <class Input, class Value, Scan kScan, class M, class Results>
void run_unsorted(const Input& input, size_t n, std::span<Value> buckets,
                  const ScanUpdate<kScan, M, Results>& update, const CpuPlan& plan, Carver& carver,
                  ThreadTeam& threads) {
  const Distances distances = plain_distances(plan.base);
  if (execution_of(plan) == Execution::privateTables) {
    const auto tables = ScanTables<Value>::take(carver, threads.size(), buckets.size());
    run_scan_tables(tables, input, n, buckets, update, distances, threads);
  } else {
    run_owned_direct(input, n, buckets, update, distances, 1, threads);
  }
}

}  // namespace presort::cpu
