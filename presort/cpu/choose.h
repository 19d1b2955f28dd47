// Operations that choose their plan and bring their scratch; j such that labels[j] == k:
//   multireduce(labels, values, buckets, tuned)   buckets[k] ⊙= v[j] for every j, in order; a sum,
//                                                 if no other ⊙ is given
//   scatter(labels, values, buckets, tuned)       buckets[k] = v[j] of the last j
//   gather(labels, table, results, tuned)         results[i] = table[labels[i]]
//   histogram(labels, counts, tuned)              counts[k] += the number of j
//   multiscan<Scan>(labels, values, buckets, results, tuned)
//                                                 results[i] = buckets[labels[i]] before or after
//                                                 its own value
//   multitag(labels, counts, results, tuned)      results[i] = which of its label input i is
//   partial_sort(labels, values, m, sorted_labels, sorted_values, part_starts, bits)
//                                                 by the top `bits`, in as few passes as can be
// Arrays:   vectors, spans, or whatever else lies in one piece, of the types and lengths of the
//           operation's own header, which has the whole contract: multireduce.h, …
// tuned:    of io/plans/tuned_file.h, or Tuned{} for the plan by rule. That it is of this machine
//           is not checked (io/machine/host_fingerprint.h does), nor that its entries are near:
//           what comes back says which was taken
// Returns:  the plan that ran, what it was chosen for, and the table's entry, if it is one's
// Requires: as the operation
// Errors:   those of the operation, and EnvironmentError when there is no memory for the scratch
//           (1.1 to 2.2 times the inputs for a pre-sort); all before anything is written
// Scratch:  kept (CallOptions::scratch), or of the call's own: its first touch then counts against
//           the plans that need it (scratch.h), so that fewer calls pre-sort
// Threads:  those handed in, in any number, where the plan runs on several; else those of the
//           plan, started for the call. The result does not depend on them
// Time:     besides the operation's some 15 µs (chosen_plan.h). Who calls often with like labels
//           asks chosen_plan.h once and calls multireduce.h with its plan
#pragma once

#include <ranges>
#include <span>

#include "presort/core/monoid.h"
#include "presort/cpu/detail/chosen_plan.h"
#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/scatter.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0 {

struct CallOptions {
  cpu::Checks checks = cpu::Checks::off;  // of all labels, one more pass over them
  cpu::Scratch* scratch = nullptr;        // nothing: of the call's own
  cpu::ThreadTeam* threads = nullptr;     // nothing: as many as the plan has, started for the call
};

template <class Array>
concept InOnePiece = std::ranges::contiguous_range<Array> && std::ranges::sized_range<Array>;

template <InOnePiece Array>
using ElementOf = std::ranges::range_value_t<Array>;

namespace cpu {

// A monoid that does not associate can merge neither tables nor sets: as many threads do without.
inline Plan without_grouping(Plan plan) {
  plan.base.n_sets = 1;
  if (plan.base.strategy == Strategy::privateTables) {
    plan.base.strategy = Strategy::direct;
  }
  return plan;
}

// The same plan on so many threads. Of more than its own, without chunks: each share of the inputs
// would have a pool of them, which begins with one for each part.
inline Plan on_team(Plan plan, int threads) {
  if (plan.presort && threads > plan.resources.threads) {
    plan.presort->chunk_bytes = 0;
  }
  plan.resources.threads = threads;
  return plan;
}

// The plan for a call. bytes_of(plan) is the scratch that it needs.
template <class Value, class Label, class BytesOf>
PlanChoice choose_for_call(Operation operation, std::span<const Label> labels, size_t m,
                           const Tuned& tuned, const CallOptions& options,
                           const BytesOf& bytes_of) {
  ExtraNs extra;
  if (!options.scratch && !labels.empty()) {
    extra = [&](const Plan& plan) {
      return static_cast<double>(bytes_of(plan)) * first_touch_ns(plan.resources.page_size) /
             static_cast<double>(labels.size());
    };
  }
  PlanChoice choice = choose<Value>(operation, labels, m, tuned, extra);
  if (options.threads) {
    const Plan of_team = on_team(choice.plan, static_cast<int>(options.threads->size()));
    choice.plan = can_run(of_team, choice.problem) ? of_team : choice.plan;
  }
  return choice;
}

// run(plan, scratch, threads), with the team handed in if it is of the plan's size, or one started
// for it.
// Errors: EnvironmentError when there is no memory for the scratch, or no team can be started
template <class Run>
void run_plan(const Plan& plan, size_t scratch_bytes, const CallOptions& options, const Run& run) {
  Scratch own;
  Scratch& scratch = options.scratch ? *options.scratch : own;
  const std::span<std::byte> bytes = scratch.reserve(scratch_bytes, plan.resources.page_size);
  const auto threads = static_cast<size_t>(plan.resources.threads);
  if (options.threads && options.threads->size() == threads) {
    return run(plan, bytes, *options.threads);
  }
  ThreadTeam started(threads);
  run(plan, bytes, started);
}

// Chooses a plan, and runs it as run_plan does. kGroups: what was computed of parts of the inputs
// may be merged.
template <class Value, bool kGroups = true, class Label, class BytesOf, class Run>
PlanChoice run_chosen(Operation operation, std::span<const Label> labels, size_t m,
                      const Tuned& tuned, const CallOptions& options, const BytesOf& bytes_of,
                      const Run& run) {
  PlanChoice choice = choose_for_call<Value>(operation, labels, m, tuned, options, bytes_of);
  choice.plan = kGroups ? choice.plan : without_grouping(choice.plan);
  run_plan(choice.plan, bytes_of(choice.plan), options, run);
  return choice;
}

}  // namespace cpu

template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets,
          Monoid<ElementOf<Buckets>> M = Sum<ElementOf<Buckets>>>
PlanChoice multireduce(const Labels& labels, const Values& values, Buckets&& buckets,
                       const Tuned& tuned, const M& monoid = {}, const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Value = ElementOf<Buckets>;
  const std::span<const Label> from(labels);
  const std::span<Value> to(buckets);
  cpu::check_lengths("labels", from.size(), "values", std::ranges::size(values));
  const auto bytes_of = [&](const Plan& plan) {
    return cpu::scratch_bytes<Label, Value>(plan, from.size(), to.size());
  };
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch, cpu::ThreadTeam& threads) {
    cpu::multireduce(from, std::span<const Value>(values), to, monoid, plan, scratch, threads,
                     options.checks);
  };
  return cpu::run_chosen<Value, associates<M>()>(Operation::multireduce, from, to.size(), tuned,
                                                 options, bytes_of, run);
}

template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets>
PlanChoice scatter(const Labels& labels, const Values& values, Buckets&& buckets,
                   const Tuned& tuned, const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Value = ElementOf<Buckets>;
  const std::span<const Label> from(labels);
  const std::span<Value> to(buckets);
  cpu::check_lengths("labels", from.size(), "values", std::ranges::size(values));
  const auto bytes_of = [&](const Plan& plan) {
    return cpu::scratch_bytes<Label, Value>(plan, from.size(), to.size());
  };
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch, cpu::ThreadTeam& threads) {
    cpu::scatter(from, std::span<const Value>(values), to, plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Value>(Operation::scatter, from, to.size(), tuned, options, bytes_of, run);
}

template <InOnePiece Labels, InOnePiece Table, InOnePiece Results>
PlanChoice gather(const Labels& labels, const Table& table, Results&& results, const Tuned& tuned,
                  const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Value = ElementOf<Table>;
  const std::span<const Label> from(labels);
  const std::span<const Value> in(table);
  cpu::check_lengths("labels", from.size(), "results", std::ranges::size(results));
  const auto bytes_of = [&](const Plan& plan) {
    return cpu::gather_scratch_bytes<Label, Value>(plan, from.size(), in.size());
  };
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch, cpu::ThreadTeam& threads) {
    cpu::gather(from, in, std::span<Value>(results), plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Value>(Operation::gather, from, in.size(), tuned, options, bytes_of, run);
}

template <InOnePiece Labels, InOnePiece Counts>
PlanChoice histogram(const Labels& labels, Counts&& counts, const Tuned& tuned,
                     const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Count = ElementOf<Counts>;
  const std::span<const Label> from(labels);
  const std::span<Count> to(counts);
  const auto bytes_of = [&](const Plan& plan) {
    return cpu::histogram_scratch_bytes<Label, Count>(plan, from.size(), to.size());
  };
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch, cpu::ThreadTeam& threads) {
    cpu::histogram(from, to, plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Count>(Operation::histogram, from, to.size(), tuned, options, bytes_of,
                                run);
}

template <cpu::Scan kScan, InOnePiece Labels, InOnePiece Values, InOnePiece Buckets,
          InOnePiece Results, Monoid<ElementOf<Buckets>> M = Sum<ElementOf<Buckets>>>
PlanChoice multiscan(const Labels& labels, const Values& values, Buckets&& buckets,
                     Results&& results, const Tuned& tuned, const M& monoid = {},
                     const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Value = ElementOf<Buckets>;
  const std::span<const Label> from(labels);
  const std::span<Value> through(buckets);
  cpu::check_lengths("labels", from.size(), "values", std::ranges::size(values));
  cpu::check_lengths("labels", from.size(), "results", std::ranges::size(results));
  const auto bytes_of = [&](const Plan& plan) {
    return cpu::multiscan_scratch_bytes<Label, Value>(plan, from.size(), through.size());
  };
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch, cpu::ThreadTeam& threads) {
    cpu::multiscan<kScan>(from, std::span<const Value>(values), through, std::span<Value>(results),
                          monoid, plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Value, associates<M>()>(Operation::multiscan, from, through.size(), tuned,
                                                 options, bytes_of, run);
}

template <InOnePiece Labels, InOnePiece Counts, InOnePiece Results>
PlanChoice multitag(const Labels& labels, Counts&& counts, Results&& results, const Tuned& tuned,
                    const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Count = ElementOf<Counts>;
  const std::span<const Label> from(labels);
  const std::span<Count> through(counts);
  cpu::check_lengths("labels", from.size(), "results", std::ranges::size(results));
  const auto bytes_of = [&](const Plan& plan) {
    return cpu::multitag_scratch_bytes<Label, Count>(plan, from.size(), through.size());
  };
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch, cpu::ThreadTeam& threads) {
    cpu::multitag(from, through, std::span<Count>(results), plan, scratch, threads, options.checks);
  };
  return cpu::run_chosen<Count>(Operation::multitag, from, through.size(), tuned, options, bytes_of,
                                run);
}

// The plan does not depend on the labels: a pass by b bits takes less than two by b / 2
// (docs/results/cpu-kernels.md).
template <InOnePiece Labels, InOnePiece Values, InOnePiece SortedLabels, InOnePiece SortedValues,
          InOnePiece PartStarts>
PlanChoice partial_sort(const Labels& labels, const Values& values, size_t m,
                        SortedLabels&& sorted_labels, SortedValues&& sorted_values,
                        PartStarts&& part_starts, int sort_bits, const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Value = ElementOf<Values>;
  const std::span<const Label> from(labels);
  PlanChoice choice;
  choice.plan.presort = Presort{.sort_bits = sort_bits};
  choice.plan.presort->passes = (sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
  if (options.threads) {
    choice.plan.resources.threads = static_cast<int>(options.threads->size());
  }
  choice.problem.n = from.size();
  choice.problem.m = m;
  cpu::check_partial_sort<Label>(choice.plan, from.size(), m);
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch, cpu::ThreadTeam& threads) {
    cpu::partial_sort(from, std::span<const Value>(values), m, std::span<Label>(sorted_labels),
                      std::span<Value>(sorted_values), std::span<size_t>(part_starts), plan,
                      scratch, threads, options.checks);
  };
  const size_t bytes = cpu::partial_sort_scratch_bytes<Label, Value>(choice.plan, from.size(), m);
  cpu::run_plan(choice.plan, bytes, options, run);
  return choice;
}

}  // namespace presort
