// Counts labels: counts[k] = counts[k] + the number of i with labels[i] == k. A multireduce of
// ones, without an array of values.
// Shapes:   labels[n], counts[m]; scratch[histogram_scratch_bytes<Label, Count>(plan, n, m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; Count is unsigned, and counts that
//           outgrow it wrap around
// Errors:   PlanError when the plan does not fit (see below), the scratch is too small or
//           misaligned, or the team has not the plan's number of threads; SpanError when an array
//           is misaligned, or one that is written overlaps another; with Checks::on LabelError with
//           the first label that is not below m; EnvironmentError when threads cannot be started;
//           all before anything is written. Nothing that grows with n or m is allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; the
//           result does not depend on their number
// Plans:    strategy=direct, with or without software prefetch; with nSets=4, of up to 2^16
//           buckets, labels are counted in four tables by turns (of each thread), so that equal
//           labels in a row do not wait for each other's store; in rangePasses over the labels,
//           each for a range of the buckets; strategy=privateTables; or with a pre-sort of any
//           number of passes
// Source:   Eilers 2014, §1.2 and alg. 2.2
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "presort/core/monoid.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/detail/unsorted_run.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/presort/chunked_presort.h"
#include "presort/cpu/presort/threaded_presort.h"
#include "presort/cpu/threads/call_team.h"

namespace presort::inline v0::cpu {

// The digit that consists of all bits of labels below m, so that one pass counts every label.
inline Digit whole_label(size_t m) {
  return make_digit(0, label_bits(m));
}

// The number of counters that the tables of a plan with several sets have in all.
inline size_t set_elements(const CpuPlan& plan, size_t m) {
  return static_cast<size_t>(plan.resources.threads) * kCountTables * whole_label(m).count();
}

// Bytes of scratch that the plan needs for n inputs and m buckets; without a Count, enough for any
// type of count.
// Requires: check_plan(plan, problem) passes
// Errors:   EnvironmentError naming n and m when 64 bits do not hold them
template <class Label, class Count = uint64_t>
size_t histogram_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  Carver carver;
  if (n == 0) {
    return 0;
  }
  switch (execution_of(plan)) {
    case Execution::sets:
      carver.take<uint32_t>(set_elements(plan, m));
      break;
    case Execution::privateTables:
      TableArrays<Count>::take(carver, static_cast<size_t>(plan.resources.threads), m);
      break;
    case Execution::bufferedPresort:
      take_team_arrays<LabelStore<Label, Count>>(carver, plan, n, label_bits(m));
      break;
    case Execution::chunkedPresort:
      take_chunk_team<LabelStore<Label, Count>>(carver, plan, n, label_bits(m));
      break;
    default:
      break;
  }
  return measured_bytes(carver, n, m);
}

// Counts inputs in kCountTables tables of each thread by turns, and adds them up: the threads
// divide the inputs, and then the buckets.
// Shapes: tables[threads.size() · kCountTables · whole_label(m).count()]
template <class Input, class Count>
void count_in_sets(const Input& input, size_t n, std::span<Count> counts, uint32_t* tables,
                   ThreadTeam& threads) {
  static_assert(kCountTables == kHistogramSets);
  const Digit digit = whole_label(counts.size());
  const size_t of_thread = kCountTables * digit.count();
  const size_t most = kMaxCountedInputs * threads.size();
  for (size_t first = 0; first < n; first += std::min(most, n - first)) {
    const size_t count = std::min(most, n - first);
    threads.run([&](size_t t) {
      RawMemory memory;
      uint32_t* own = tables + t * of_thread;
      carries_out<phase::ClearSets, LabelOf<Input>>();
      FillTable<RawMemory, uint32_t>{own, 0}.step(0, of_thread, memory);
      const Share share = share_of(count, t, threads.size());
      carries_out<phase::CountInSets, LabelOf<Input>>();
      DigitHistogram<RawMemory, Input>{input, own, digit}.step(first + share.first,
                                                               first + share.last, memory);
    });
    threads.run([&](size_t t) {
      RawMemory memory;
      const Share own = share_of(counts.size(), t, threads.size());
      carries_out<phase::AddSets, LabelOf<Input>>();
      MergeReduced<RawMemory, Count, Sum<Count>, uint32_t>{
          counts.data(), tables, digit.count(), threads.size() * kCountTables, {}}
          .step(own.first, own.last, memory);
    });
  }
}

// Checks the arguments of a histogram. Errors: PlanError when the plan does not fit n labels and m
// buckets, or the scratch is too small
//         or not aligned to 64 bytes
template <class Label, class Count>
void check_histogram(CpuPlanArgument& plan, size_t n, size_t m,
                     std::span<const std::byte> scratch) {
  if (n > 0) {
    check_plan_for<Label>(Operation::histogram, plan, n, m);
    check_scratch(scratch, histogram_scratch_bytes<Label, Count>(*plan, n, m));
  }
}

template <class Label, class Count>
void histogram(std::span<const Label> labels, std::span<Count> counts, CpuPlanArgument plan,
               std::span<std::byte> scratch, ThreadTeam& threads, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && std::is_unsigned_v<Count>);
  const size_t n = labels.size();
  check_histogram<Label, Count>(plan, n, counts.size(), scratch);
  if (n == 0) {
    return;
  }
  check_team(*plan, threads);
  check_spans({placed("labels", labels), placed("counts", counts), placed("scratch", scratch)});
  check_labels_if(checks, labels, counts.size(), threads);

  using Store = LabelStore<Label, Count>;
  using Update = ReduceUpdate<Sum<Count>>;
  const typename Store::Input input{labels.data()};
  const Update update{};
  Carver carver(scratch.data());
  const DirectKernel<Count, Update> kernel{counts.data(), update, part_distances(plan->base)};
  switch (execution_of(*plan)) {
    case Execution::sets: {
      auto* tables = carver.take<uint32_t>(set_elements(*plan, counts.size()));
      return count_in_sets(input, n, counts, tables, threads);
    }
    case Execution::bufferedPresort: {
      auto team = take_team_arrays<Store>(carver, *plan, n, label_bits(counts.size()));
      TeamPartition<Store> partition(team, n);
      return run_threaded_presort(
          partition, input, [&](size_t) { return kernel; }, threads);
    }
    case Execution::chunkedPresort: {
      const auto team = take_chunk_team<Store>(carver, *plan, n, label_bits(counts.size()));
      return ChunkedPresort<Store>(team, n).run(input, kernel, threads);
    }
    default:
      return run_unsorted(input, n, counts, update, *plan, carver, threads);
  }
}

template <class Label, class Count>
void histogram(std::span<const Label> labels, std::span<Count> counts, CpuPlanArgument plan,
               std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_histogram<Label, Count>(plan, labels.size(), counts.size(), scratch);
  ThreadTeam threads(team_size(*plan, labels.size()));
  histogram(labels, counts, plan, scratch, threads, checks);
}

}  // namespace presort::cpu
