// Runs plans with a pre-sort for operations whose inputs are labels alone and that have a result
// for each. gather.h and multitag.h are its callers; use those.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/detail/scan_tables.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/presort/permuted_presort.h"

namespace presort::inline v0::cpu {

// Scratch arrays: partitioned labels, and beside each label its result.
template <class Label, class Value>
struct LabelRoundTrip {
  using Store = LabelStore<Label, Value>;
  using Results = ResultArray<RawMemory, Value>;

  TeamArrays<Store> team;
  std::array<Results, 2> results{};

  // Takes the scratch arrays of a gather or multitag with a pre-sort. Requires: plan.presort
  static LabelRoundTrip take(Carver& carver, const CpuPlan& plan, size_t n, size_t m) {
    LabelRoundTrip trip{take_team_arrays<Store>(carver, plan, n, label_bits(m))};
    for (size_t output = 0; output < std::min<size_t>(2, trip.team[0].passes); ++output) {
      trip.results[output].results = carver.take<Value>(team_output_elements(trip.team, n, output));
    }
    return trip;
  }
};

// Bytes of scratch that a gather or multitag needs with this plan. Requires: check_plan(plan, problem)
// passes
// Errors:   EnvironmentError naming n and m when 64 bits do not hold them
template <class Label, class Value>
size_t label_plan_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  Carver carver;
  if (n > 0 && execution_of(plan) == Execution::bufferedPresort) {
    LabelRoundTrip<Label, Value>::take(carver, plan, n, m);
  } else if (n > 0 && execution_of(plan) == Execution::privateTables) {
    ScanTables<Value>::take(carver, static_cast<size_t>(plan.resources.threads), m);
  }
  return measured_bytes(carver, n, m);
}

// Checks the arguments of a call. Errors: PlanError when labels and results differ in length, the plan
// does not fit the operation,
//         or the scratch is too small or not aligned to 64 bytes
template <class Label, class Value>
void check_label_plan(Operation operation, CpuPlanArgument& plan, size_t labels, size_t results,
                      size_t m, std::span<const std::byte> scratch) {
  check_lengths("labels", labels, "results", results);
  if (labels > 0) {
    check_plan_for<Label>(operation, plan, labels, m);
    check_scratch(scratch, label_plan_scratch_bytes<Label, Value>(*plan, labels, m));
  }
}

// Runs a plan with a pre-sort. kernel(input, count, results) sets the results of some inputs from
// their labels.
// Requires: the arguments are checked; labels are not empty
template <class Label, class Value, class Kernel>
void run_label_presort(std::span<const Label> labels, size_t m, std::span<Value> results,
                       const Kernel& kernel, const CpuPlan& plan, std::span<std::byte> scratch,
                       ThreadTeam& threads) {
  const LabelInput<RawMemory, Label, Value> input{labels.data()};
  const ResultArray<RawMemory, Value> to{results.data()};
  Carver carver(scratch.data());
  auto trip = LabelRoundTrip<Label, Value>::take(carver, plan, labels.size(), m);
  run_permuted(trip.team, trip.results, kernel, input, labels.size(), to, threads);
}

}  // namespace presort::cpu
