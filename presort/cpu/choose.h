// Operations on whatever lies in one piece: vectors, arrays, spans. They choose their plan and
// bring their scratch. With j such that labels[j] == k:
//   multireduce(labels, values, buckets)          buckets[k] ⊙= v[j] for every j, in order; a sum,
//                                                 if no other ⊙ is given
//   scatter(labels, values, buckets)              buckets[k] = v[j] of the last j
//   gather(labels, table, results)                results[i] = table[labels[i]]
//   histogram(labels, counts)                     counts[k] += the number of j
//   multiscan<Scan>(labels, values, buckets, results)
//                                                 results[i] = buckets[labels[i]] before or after
//                                                 its own value
//   multitag(labels, counts, results)             results[i] = which of its label input i is
//   partial_sort(labels, values, m, sorted_labels, sorted_values, part_starts, bits)
//                                                 by the top `bits`, in as few passes as can be
// After these arguments may follow, each or none:
//   a Tuned or a CpuPlan  source of the plan: the nearest entry of a table (io/plans/tuned_file.h
//                         reads one), or this very plan; without either, a rule
//   ⊙                     a Monoid (core/monoid.h), of multireduce and multiscan
//   CallOptions           checks of labels, kept scratch, kept threads
// Arrays:   of the types and lengths of the operation's own header, which has the whole contract:
//           multireduce.h, …; labels may also be signed integers, which are taken as unsigned ones:
//           a negative one is above every bucket
// Table:    not checked to be of this machine (io/machine/host_fingerprint.h does that), nor to
//           have near entries: the returned choice says which entry was taken
// Returns:  the plan that ran, the problem it was chosen for, and the table's entry, if there is
//           one
// Requires: as the operation
// Errors:   those of the operation, PlanError of a given plan that does not fit, and
//           EnvironmentError when there is no memory for the scratch (1.1 to 2.2 times the inputs
//           for a pre-sort); all before anything is written. status.h makes values of them
// Scratch:  kept (CallOptions::scratch), or of the call's own: its first touch then counts against
//           the plans that need it (memory/scratch.h), so that fewer calls pre-sort
// Threads:  those handed in, in any number, where the plan runs on several; else those of the plan,
// started for the call. The result does not depend on them
// Time:     besides the operation's some 15 µs (detail/chosen_plan.h) where no plan is given. If
// you call often with similar labels, pass the plan that came back
#pragma once

#include <cstddef>
#include <ranges>
#include <span>

#include "presort/core/monoid.h"
#include "presort/cpu/call_options.h"
#include "presort/cpu/detail/run_chosen.h"
#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/scatter.h"

namespace presort::inline v0 {

template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets,
          Monoid<ElementOf<Buckets>> M = Sum<ElementOf<Buckets>>>
PlanChoice multireduce(const Labels& labels, const Values& values, Buckets&& buckets,
                       const PlanSource& source = {}, const M& monoid = {},
                       const CallOptions& options = {}) {
  using Value = ElementOf<Buckets>;
  const std::span<const LabelOf<Labels>> from = label_span(labels);
  const std::span<Value> to(buckets);
  cpu::check_lengths("labels", from.size(), "values", std::ranges::size(values));
  const auto bytes_of = [&](const CpuPlan& plan) {
    return cpu::multireduce_scratch_bytes<LabelOf<Labels>, Value>(plan, from.size(), to.size());
  };
  const auto run = [&](cpu::CpuPlanArgument plan, std::span<std::byte> scratch,
                       cpu::ThreadTeam& threads) {
    cpu::multireduce(from, std::span<const Value>(values), to, monoid, plan, scratch, threads,
                     options.checks);
  };
  return cpu::run_chosen<Value, associates<M>()>(Operation::multireduce, from, to.size(), source,
                                                 options, bytes_of, run);
}

template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets, Monoid<ElementOf<Buckets>> M>
PlanChoice multireduce(const Labels& labels, const Values& values, Buckets&& buckets,
                       const M& monoid, const CallOptions& options = {}) {
  return multireduce(labels, values, buckets, PlanSource{}, monoid, options);
}
template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets>
PlanChoice multireduce(const Labels& labels, const Values& values, Buckets&& buckets,
                       const CallOptions& options) {
  return multireduce(labels, values, buckets, PlanSource{}, Sum<ElementOf<Buckets>>{}, options);
}

template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets>
PlanChoice scatter(const Labels& labels, const Values& values, Buckets&& buckets,
                   const PlanSource& source = {}, const CallOptions& options = {}) {
  using Value = ElementOf<Buckets>;
  const std::span<const LabelOf<Labels>> from = label_span(labels);
  const std::span<Value> to(buckets);
  cpu::check_lengths("labels", from.size(), "values", std::ranges::size(values));
  const auto bytes_of = [&](const CpuPlan& plan) {
    return cpu::scatter_scratch_bytes<LabelOf<Labels>, Value>(plan, from.size(), to.size());
  };
  const auto run = [&](cpu::CpuPlanArgument plan, std::span<std::byte> scratch,
                       cpu::ThreadTeam& threads) {
    cpu::scatter(from, std::span<const Value>(values), to, plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Value>(Operation::scatter, from, to.size(), source, options, bytes_of,
                                run);
}

template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets>
PlanChoice scatter(const Labels& labels, const Values& values, Buckets&& buckets,
                   const CallOptions& options) {
  return scatter(labels, values, buckets, PlanSource{}, options);
}

template <InOnePiece Labels, InOnePiece Table, InOnePiece Results>
PlanChoice gather(const Labels& labels, const Table& table, Results&& results,
                  const PlanSource& source = {}, const CallOptions& options = {}) {
  using Value = ElementOf<Table>;
  const std::span<const LabelOf<Labels>> from = label_span(labels);
  const std::span<const Value> in(table);
  cpu::check_lengths("labels", from.size(), "results", std::ranges::size(results));
  const auto bytes_of = [&](const CpuPlan& plan) {
    return cpu::gather_scratch_bytes<LabelOf<Labels>, Value>(plan, from.size(), in.size());
  };
  const auto run = [&](cpu::CpuPlanArgument plan, std::span<std::byte> scratch,
                       cpu::ThreadTeam& threads) {
    cpu::gather(from, in, std::span<Value>(results), plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Value>(Operation::gather, from, in.size(), source, options, bytes_of, run);
}

template <InOnePiece Labels, InOnePiece Table, InOnePiece Results>
PlanChoice gather(const Labels& labels, const Table& table, Results&& results,
                  const CallOptions& options) {
  return gather(labels, table, results, PlanSource{}, options);
}

template <InOnePiece Labels, InOnePiece Counts>
PlanChoice histogram(const Labels& labels, Counts&& counts, const PlanSource& source = {},
                     const CallOptions& options = {}) {
  using Count = ElementOf<Counts>;
  const std::span<const LabelOf<Labels>> from = label_span(labels);
  const std::span<Count> to(counts);
  const auto bytes_of = [&](const CpuPlan& plan) {
    return cpu::histogram_scratch_bytes<LabelOf<Labels>, Count>(plan, from.size(), to.size());
  };
  const auto run = [&](cpu::CpuPlanArgument plan, std::span<std::byte> scratch,
                       cpu::ThreadTeam& threads) {
    cpu::histogram(from, to, plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Count>(Operation::histogram, from, to.size(), source, options, bytes_of,
                                run);
}

template <InOnePiece Labels, InOnePiece Counts>
PlanChoice histogram(const Labels& labels, Counts&& counts, const CallOptions& options) {
  return histogram(labels, counts, PlanSource{}, options);
}

template <cpu::Scan kScan, InOnePiece Labels, InOnePiece Values, InOnePiece Buckets,
          InOnePiece Results, Monoid<ElementOf<Buckets>> M = Sum<ElementOf<Buckets>>>
PlanChoice multiscan(const Labels& labels, const Values& values, Buckets&& buckets,
                     Results&& results, const PlanSource& source = {}, const M& monoid = {},
                     const CallOptions& options = {}) {
  using Value = ElementOf<Buckets>;
  const std::span<const LabelOf<Labels>> from = label_span(labels);
  const std::span<Value> through(buckets);
  cpu::check_lengths("labels", from.size(), "values", std::ranges::size(values));
  cpu::check_lengths("labels", from.size(), "results", std::ranges::size(results));
  const auto bytes_of = [&](const CpuPlan& plan) {
    return cpu::multiscan_scratch_bytes<LabelOf<Labels>, Value>(plan, from.size(), through.size());
  };
  const auto run = [&](cpu::CpuPlanArgument plan, std::span<std::byte> scratch,
                       cpu::ThreadTeam& threads) {
    cpu::multiscan<kScan>(from, std::span<const Value>(values), through, std::span<Value>(results),
                          monoid, plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Value, associates<M>()>(Operation::multiscan, from, through.size(), source,
                                                 options, bytes_of, run);
}

template <cpu::Scan kScan, InOnePiece Labels, InOnePiece Values, InOnePiece Buckets,
          InOnePiece Results, Monoid<ElementOf<Buckets>> M>
PlanChoice multiscan(const Labels& labels, const Values& values, Buckets&& buckets,
                     Results&& results, const M& monoid, const CallOptions& options = {}) {
  return multiscan<kScan>(labels, values, buckets, results, PlanSource{}, monoid, options);
}
template <cpu::Scan kScan, InOnePiece Labels, InOnePiece Values, InOnePiece Buckets,
          InOnePiece Results>
PlanChoice multiscan(const Labels& labels, const Values& values, Buckets&& buckets,
                     Results&& results, const CallOptions& options) {
  return multiscan<kScan>(labels, values, buckets, results, PlanSource{}, Sum<ElementOf<Buckets>>{},
                          options);
}

template <InOnePiece Labels, InOnePiece Counts, InOnePiece Results>
PlanChoice multitag(const Labels& labels, Counts&& counts, Results&& results,
                    const PlanSource& source = {}, const CallOptions& options = {}) {
  using Count = ElementOf<Counts>;
  const std::span<const LabelOf<Labels>> from = label_span(labels);
  const std::span<Count> through(counts);
  cpu::check_lengths("labels", from.size(), "results", std::ranges::size(results));
  const auto bytes_of = [&](const CpuPlan& plan) {
    return cpu::multitag_scratch_bytes<LabelOf<Labels>, Count>(plan, from.size(), through.size());
  };
  const auto run = [&](cpu::CpuPlanArgument plan, std::span<std::byte> scratch,
                       cpu::ThreadTeam& threads) {
    cpu::multitag(from, through, std::span<Count>(results), plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Count>(Operation::multitag, from, through.size(), source, options,
                                bytes_of, run);
}

template <InOnePiece Labels, InOnePiece Counts, InOnePiece Results>
PlanChoice multitag(const Labels& labels, Counts&& counts, Results&& results,
                    const CallOptions& options) {
  return multitag(labels, counts, results, PlanSource{}, options);
}

// The plan of a partial sort does not depend on the labels: one pass by b bits takes less time than two
// passes by b / 2 bits (docs/results/cpu-kernels.md).
template <InOnePiece Labels, InOnePiece Values, InOnePiece SortedLabels, InOnePiece SortedValues,
          InOnePiece PartStarts>
PlanChoice partial_sort(const Labels& labels, const Values& values, size_t m,
                        SortedLabels&& sorted_labels, SortedValues&& sorted_values,
                        PartStarts&& part_starts, int sort_bits, const CallOptions& options = {}) {
  using Value = ElementOf<Values>;
  const std::span<const LabelOf<Labels>> from = label_span(labels);
  PlanChoice choice;
  choice.plan.presort = Presort{.sort_bits = sort_bits};
  choice.plan.presort->passes = (sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
  if (options.threads) {
    choice.plan.resources.threads = static_cast<int>(options.threads->size());
  }
  choice.problem.n = from.size();
  choice.problem.m = m;
  cpu::CpuPlanArgument argument(choice.plan);
  cpu::check_partial_sort<LabelOf<Labels>>(argument, from.size(), m);
  const auto run = [&](cpu::CpuPlanArgument plan, std::span<std::byte> scratch,
                       cpu::ThreadTeam& threads) {
    cpu::partial_sort(from, std::span<const Value>(values), m, label_span(sorted_labels),
                      std::span<Value>(sorted_values), std::span<size_t>(part_starts), plan,
                      scratch, threads, options.checks);
  };
  const size_t bytes =
      cpu::partial_sort_scratch_bytes<LabelOf<Labels>, Value>(choice.plan, from.size(), m);
  cpu::run_plan(argument, bytes, options, run);
  return choice;
}

}  // namespace presort
