// Runs any plan: an optional pre-sort, then the direct kernel, by one thread or several.
// multireduce.h and scatter.h are its callers; use those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "presort/core/error.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/detail/set_reduce.h"
#include "presort/cpu/detail/unsorted_run.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/presort/buffered_presort.h"
#include "presort/cpu/presort/chunked_presort.h"
#include "presort/cpu/presort/plain_radix_sort.h"
#include "presort/cpu/presort/threaded_presort.h"
#include "presort/cpu/threads/call_team.h"

namespace presort::inline v0::cpu {

// Calls f with the type of the arrays that a plan needs; f takes them from a Carver.
template <class Label, class Value, class F>
auto with_store(const Presort& presort, F f) {
  if (presort.layout == Layout::pairs) {
    return f(PairStore<Label, Value>{});
  }
  return f(SeparateStore<Label, Value>{});
}

// Bytes of scratch that the plan needs to update m buckets with n inputs, whatever the labels are.
// Requires: check_plan(plan) passes for m
// Errors:   EnvironmentError naming n and m when 64 bits do not hold them
template <class Label, class Value>
size_t update_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  if (n == 0) {
    return 0;
  }
  Carver carver;
  switch (execution_of(plan)) {
    case Execution::direct:
    case Execution::rangePasses:
      break;
    case Execution::sets:
      take_sets<Value>(carver, m);
      break;
    case Execution::privateTables:
      TableArrays<Value>::take(carver, static_cast<size_t>(plan.resources.threads), m);
      break;
    case Execution::bufferedPresort:
      with_store<Label, Value>(*plan.presort, [&]<class Store>(Store) {
        take_team_arrays<Store>(carver, plan, n, label_bits(m));
      });
      break;
    case Execution::chunkedPresort:
      take_chunk_team<PairStore<Label, Value>>(carver, plan, n, label_bits(m));
      break;
    case Execution::plainRadix:
      RadixArrays<Label, Value>::take(carver, plan, n);
      break;
  }
  return measured_bytes(carver, n, m);
}

// Checks the arguments of a call. Errors: PlanError when the spans differ in length, the plan does
// not fit the operation on n inputs
//         and m buckets, or the scratch is too small or not aligned to 64 bytes
template <class Label, class Value>
void check_arguments(Operation operation, CpuPlanArgument& plan, size_t labels, size_t values,
                     size_t m, std::span<const std::byte> scratch) {
  check_lengths("labels", labels, "values", values);
  if (labels == 0) {
    return;
  }
  check_plan_for<Label>(operation, plan, labels, m);
  check_scratch(scratch, update_scratch_bytes<Label, Value>(*plan, labels, m));
}

// Writes `initial`, if it is given, to every bucket. Called once all checks have passed, so that only ⊙
// can still fail.
template <class Value>
void start_buckets(std::span<Value> buckets, const std::optional<Value>& initial) {
  if (initial) {
    RawMemory memory;
    FillTable<RawMemory, Value>{buckets.data(), *initial}.step(0, buckets.size(), memory);
  }
}

// Runs a plan with a buffered pre-sort each of whose parts lies in one piece.
template <class Store, class Label, class Value, class Update>
void run_buffered(const SeparateInput<RawMemory, Label, Value>& input, size_t n,
                  std::span<Value> buckets, const Update& update, const CpuPlan& plan,
                  Carver& carver, ThreadTeam& threads, const std::optional<Value>& initial) {
  auto team = take_team_arrays<Store>(carver, plan, n, label_bits(buckets.size()));
  TeamPartition<Store> partition(team, n);
  start_buckets(buckets, initial);
  const auto kernel_of = [&](size_t) {
    return DirectKernel<Value, Update>{buckets.data(), update, part_distances(plan.base)};
  };
  run_threaded_presort(partition, input, kernel_of, threads);
}

// Runs a plan with a pre-sort into chunks.
template <class Label, class Value, class Update>
void run_chunked(const SeparateInput<RawMemory, Label, Value>& input, size_t n,
                 std::span<Value> buckets, const Update& update, const CpuPlan& plan,
                 Carver& carver, ThreadTeam& threads, const std::optional<Value>& initial) {
  using Store = PairStore<Label, Value>;
  const auto team = take_chunk_team<Store>(carver, plan, n, label_bits(buckets.size()));
  ChunkedPresort<Store> presort(team, n);
  start_buckets(buckets, initial);
  presort.run(input, DirectKernel<Value, Update>{buckets.data(), update, part_distances(plan.base)},
              threads);
}

// Runs a multireduce by a plan with several sets of buckets (nSets).
template <class Label, class Value, class Monoid>
void run_sets(const SeparateInput<RawMemory, Label, Value>& input, size_t n,
              std::span<Value> buckets, const ReduceUpdate<Monoid>& update, Carver& carver) {
  reduce_in_sets(input, n, buckets, update.monoid, take_sets<Value>(carver, buckets.size()));
}

template <class Label, class Value, class Update>
void run_plain_radix(const SeparateInput<RawMemory, Label, Value>& input, size_t n,
                     std::span<Value> buckets, const Update& update, const CpuPlan& plan,
                     Carver& carver) {
  const auto arrays = RadixArrays<Label, Value>::take(carver, plan, n);
  const auto sorted = sort_plain_radix(arrays, plan, label_bits(buckets.size()), input, n);
  carries_out<phase::UpdateParts, Label>();
  run_direct(sorted, n, buckets.data(), update, plain_distances(plan.base));
}

// Updates the buckets with all inputs; each bucket in the order of its inputs. `initial`, if given, is
// first written to every bucket.
// Errors: those of check_arguments, check_team and check_spans; LabelError when labels are checked
template <class Label, class Value, class Update>
void run_plan(Operation operation, std::span<const Label> labels, std::span<const Value> values,
              std::span<Value> buckets, const Update& update, CpuPlanArgument plan,
              std::span<std::byte> scratch, ThreadTeam& threads, Checks checks = Checks::off,
              const std::optional<Value>& initial = {}) {
  static_assert(std::is_unsigned_v<Label>, "labels are unsigned; choose.h takes signed ones");
  static_assert(std::is_trivially_copyable_v<Value> && std::is_default_constructible_v<Value>);
  check_arguments<Label, Value>(operation, plan, labels.size(), values.size(), buckets.size(),
                                scratch);
  if (labels.empty()) {
    return;
  }
  check_team(*plan, threads);
  check_spans({placed("labels", labels), placed("values", values), placed("buckets", buckets),
               placed("scratch", scratch)});
  check_labels_if(checks, labels, buckets.size(), threads);
  const SeparateInput<RawMemory, Label, Value> input{labels.data(), values.data()};
  Carver carver(scratch.data());
  switch (execution_of(*plan)) {
    case Execution::direct:
    case Execution::rangePasses:
    case Execution::privateTables:
      start_buckets(buckets, initial);
      return run_unsorted(input, labels.size(), buckets, update, *plan, carver, threads);
    case Execution::sets:
      start_buckets(buckets, initial);
      if constexpr (requires { update.monoid; }) {  // only a multireduce has sets of buckets
        run_sets(input, labels.size(), buckets, update, carver);
      }
      return;
    case Execution::bufferedPresort:
      return with_store<Label, Value>(*plan->presort, [&]<class Store>(Store) {
        run_buffered<Store>(input, labels.size(), buckets, update, *plan, carver, threads, initial);
      });
    case Execution::chunkedPresort:
      return run_chunked(input, labels.size(), buckets, update, *plan, carver, threads, initial);
    case Execution::plainRadix:
      start_buckets(buckets, initial);
      return run_plain_radix(input, labels.size(), buckets, update, *plan, carver);
  }
}

// Runs a plan on threads that are started for the call.
template <class Label, class Value, class Update>
void run_plan(Operation operation, std::span<const Label> labels, std::span<const Value> values,
              std::span<Value> buckets, const Update& update, CpuPlanArgument plan,
              std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_arguments<Label, Value>(operation, plan, labels.size(), values.size(), buckets.size(),
                                scratch);
  ThreadTeam threads(team_size(*plan, labels.size()));
  run_plan(operation, labels, values, buckets, update, plan, scratch, threads, checks);
}

}  // namespace presort::cpu
