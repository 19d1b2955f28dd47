// Operations that choose their plan and bring their scratch; j such that labels[j] == k:
//   multireduce(labels, values, buckets, tuned)   buckets[k] ⊙= v[j] for every j, in order; a sum,
//                                                 if no other ⊙ is given
//   scatter(labels, values, buckets, tuned)       buckets[k] = v[j] of the last j
//   gather(labels, table, results, tuned)         results[i] = table[labels[i]]
//   histogram(labels, counts, tuned)              counts[k] += the number of j
// Arrays:   vectors, spans, or whatever else lies in one piece, of the types and lengths of the
//           operation's own header, which has the whole contract: multireduce.h, …
// tuned:    of io/tuned_file.h, or Tuned{} for the plan by rule. That it is of this machine is not
//           checked, nor that its entries are near: what comes back says which was taken
// Returns:  the plan that ran, what it was chosen for, and the table's entry, if it is one's
// Requires: as the operation
// Errors:   those of the operation, and EnvironmentError when there is no memory for the scratch
//           (1.1 to 2.2 times the inputs for a pre-sort); all before anything is written
// Time:     besides the operation's some 20 µs (chosen_plan.h); with a pre-sort also the scratch's
//           first touch, which may take longer than all the rest: keep one (scratch.h). Threads of
//           a plan that has several are started. Who calls often with like labels asks
//           chosen_plan.h once and calls multireduce.h with its plan
#pragma once

#include <ranges>
#include <span>

#include "core/monoid.h"
#include "cpu/chosen_plan.h"
#include "cpu/gather.h"
#include "cpu/histogram.h"
#include "cpu/multireduce.h"
#include "cpu/scatter.h"
#include "cpu/scratch.h"

namespace presort {

struct CallOptions {
  cpu::Checks checks = cpu::Checks::off;  // of all labels, one more pass over them
  cpu::Scratch* scratch = nullptr;        // nothing: of the call's own
};

template <class Array>
concept InOnePiece = std::ranges::contiguous_range<Array> && std::ranges::sized_range<Array>;

template <InOnePiece Array>
using ElementOf = std::ranges::range_value_t<Array>;

namespace cpu {

// A monoid that does not associate cannot merge tables: as many threads do without.
template <class M>
Plan without_grouping(Plan plan) {
  if (!associates<M>() && plan.base.strategy == Strategy::privateTables) {
    plan.base.strategy = Strategy::direct;
  }
  return plan;
}

// run(plan, scratch)
template <class Run>
PlanChoice run_chosen(const PlanChoice& choice, size_t scratch_bytes, const CallOptions& options,
                      const Run& run) {
  Scratch own;
  Scratch& scratch = options.scratch ? *options.scratch : own;
  run(choice.plan, scratch.reserve(scratch_bytes, choice.plan.resources.page_size));
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
  PlanChoice choice = cpu::choose<Value>(Operation::multireduce, from, to.size(), tuned);
  choice.plan = cpu::without_grouping<M>(choice.plan);
  const size_t bytes = cpu::scratch_bytes<Label, Value>(choice.plan, from.size(), to.size());
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch) {
    cpu::multireduce(from, std::span<const Value>(values), to, monoid, plan, scratch,
                     options.checks);
  };
  return cpu::run_chosen(choice, bytes, options, run);
}

template <InOnePiece Labels, InOnePiece Values, InOnePiece Buckets>
PlanChoice scatter(const Labels& labels, const Values& values, Buckets&& buckets,
                   const Tuned& tuned, const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Value = ElementOf<Buckets>;
  const std::span<const Label> from(labels);
  const std::span<Value> to(buckets);
  cpu::check_lengths("labels", from.size(), "values", std::ranges::size(values));
  const PlanChoice choice = cpu::choose<Value>(Operation::scatter, from, to.size(), tuned);
  const size_t bytes = cpu::scratch_bytes<Label, Value>(choice.plan, from.size(), to.size());
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch) {
    cpu::scatter(from, std::span<const Value>(values), to, plan, scratch, options.checks);
  };
  return cpu::run_chosen(choice, bytes, options, run);
}

template <InOnePiece Labels, InOnePiece Table, InOnePiece Results>
PlanChoice gather(const Labels& labels, const Table& table, Results&& results, const Tuned& tuned,
                  const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Value = ElementOf<Table>;
  const std::span<const Label> from(labels);
  const std::span<const Value> in(table);
  cpu::check_lengths("labels", from.size(), "results", std::ranges::size(results));
  const PlanChoice choice = cpu::choose<Value>(Operation::gather, from, in.size(), tuned);
  const size_t bytes = cpu::gather_scratch_bytes<Label, Value>(choice.plan, from.size(), in.size());
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch) {
    cpu::gather(from, in, std::span<Value>(results), plan, scratch, options.checks);
  };
  return cpu::run_chosen(choice, bytes, options, run);
}

template <InOnePiece Labels, InOnePiece Counts>
PlanChoice histogram(const Labels& labels, Counts&& counts, const Tuned& tuned,
                     const CallOptions& options = {}) {
  using Label = ElementOf<Labels>;
  using Count = ElementOf<Counts>;
  const std::span<const Label> from(labels);
  const std::span<Count> to(counts);
  const PlanChoice choice = cpu::choose<Count>(Operation::histogram, from, to.size(), tuned);
  const size_t bytes =
      cpu::histogram_scratch_bytes<Label, Count>(choice.plan, from.size(), to.size());
  const auto run = [&](const Plan& plan, std::span<std::byte> scratch) {
    cpu::histogram(from, to, plan, scratch, options.checks);
  };
  return cpu::run_chosen(choice, bytes, options, run);
}

}  // namespace presort
