// Sorts labels and values by the labels' top bits alone: afterwards sorted_labels[j] >> rest never
// decreases with j, where rest = label_bits(m) - plan.presort->sort_bits. Stable: inputs that agree
// in these bits stay in their order. With sort_bits = label_bits(m) the labels are sorted.
// Part d is the inputs whose top bits are d: those from part_starts[d] up to part_starts[d + 1].
// Shapes:   labels[n], values[n], sorted_labels[n], sorted_values[n];
//           part_starts[partial_sort_parts(plan, m) + 1];
//           scratch[partial_sort_scratch_bytes<Label, Value>(plan, n, m)]
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on; Value is trivially copyable
// Errors:   PlanError when the arrays differ in length, part_starts has another length, the plan
//           does not fit (see below), the scratch is too small or misaligned, or the team has not
//           the plan's number of threads; SpanError when an array is misaligned, or one that is
//           written overlaps another; with Checks::on LabelError with the first label that is not
//           below m; EnvironmentError when threads cannot be started; all before anything is
//           written. Nothing that grows with n or m is allocated.
// Threads:  plan.resources.threads, those of `threads`, or without one started for the call; the
//           result does not depend on their number
// Plans:    a buffered pre-sort (strategy=direct, sortBits of at least 1) of any number of passes.
//           Each part is copied from the partition, whose parts begin at whole buffers, to its
//           place. Without a pre-sort, a counting sort by all label_bits(m) bits, each input put
//           straight to its place, of one thread
// Source:   Eilers 2014, §2.4
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "presort/core/monoid.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/cpu/phases/segmented.h"
#include "presort/cpu/phases/unpack.h"
#include "presort/cpu/plan/execution.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/presort/presort.h"

namespace presort::inline v0::cpu {

// Number of parts that the plan sorts labels below m into; kUncountable for 2^64.
inline size_t partial_sort_parts(const CpuPlan& plan, size_t m) {
  return saturating_power_of_two(plan.presort ? plan.presort->sort_bits : label_bits(m));
}

// Bytes of scratch that partial_sort needs with this plan. Requires: check_partial_sort passes
// Errors:   EnvironmentError naming n and m when 64 bits do not hold them
template <class Label, class Value>
size_t partial_sort_scratch_bytes(const CpuPlan& plan, size_t n, size_t m) {
  return update_scratch_bytes<Label, Value>(plan, n, m);
}

// Checks the plan of a partial sort. Errors: PlanError when the plan is not one that sorts n inputs with
// labels below m
template <class Label>
void check_partial_sort(CpuPlanArgument& plan, size_t n, size_t m) {
  if (plan.is_checked_for({Operation::partialSort, n, m})) {
    return;
  }
  // Checks a plan with a pre-sort by fewer than all bits as a multireduce's plan: the operation
  // partialSort as such sorts by all bits.
  check_plan_for<Label>(plan->presort ? Operation::multireduce : Operation::partialSort, plan, n,
                        m);
  if (plan->base.strategy != CpuStrategy::direct) {
    throw PlanError("strategy: found '" + to_name(kCpuStrategies, plan->base.strategy) +
                    "', accepted: direct; a partial sort has no other");
  }
  if (plan->presort && plan->presort->chunk_bytes > 0) {
    throw PlanError("chunkBytes: found '" + std::to_string(plan->presort->chunk_bytes) +
                    "', accepted: 0; a partial sort has places that a histogram tells");
  }
}

// Arrays of one call of partial_sort.
template <class Label, class Value>
struct PartialSort {
  std::span<const Label> labels;
  std::span<const Value> values;
  size_t m;
  std::span<Label> sorted_labels;
  std::span<Value> sorted_values;
  std::span<size_t> part_starts;

  // Checks all arguments but threads and labels. Errors: as partial_sort
  void check(CpuPlanArgument& plan, std::span<const std::byte> scratch) const {
    const size_t n = labels.size();
    check_lengths("labels", n, "values", values.size());
    check_lengths("labels", n, "sorted_labels", sorted_labels.size());
    check_lengths("labels", n, "sorted_values", sorted_values.size());
    check_partial_sort<Label>(plan, n, m);
    check_lengths("part_starts", part_starts.size(), "the parts, and one more,",
                  saturating_add(partial_sort_parts(*plan, m), 1));
    check_scratch(scratch, partial_sort_scratch_bytes<Label, Value>(*plan, n, m));
    check_spans({placed("labels", labels), placed("values", values),
                 placed("sorted_labels", sorted_labels), placed("sorted_values", sorted_values),
                 placed("part_starts", part_starts), placed("scratch", scratch)});
  }
};

// The kernel of one thread of a partial sort: copies the parts of the thread to their places in the
// output, one after the other.
template <class Label, class Value>
struct UnpackParts {
  static constexpr bool kTakesOneDigit = true;  // part_starts has one entry for each digit
  const PartialSort<Label, Value>& sort;
  int rest_bits;
  mutable size_t done;  // number of inputs copied by this and earlier threads

  template <class Input>
  void operator()(const Input& input, size_t count) const {
    RawMemory memory;
    const auto part = static_cast<size_t>(input.label(0, memory) >> rest_bits);
    carries_out<phase::Unpack, Label>();
    Unpack<RawMemory, Input, Label, Value>{input, sort.sorted_labels.data(),
                                           sort.sorted_values.data(), done}
        .step(0, count, memory);
    done += count;
    sort.part_starts[part + 1] = done;
  }
};

// Counting sort: counts the inputs of each part, then puts every input to its place. Needs no scratch:
// places are counted in part_starts, shifted by one part: the entry of part d is first its begin and,
// when all inputs are placed, its end.
// Requires: the arguments are checked
template <class Label, class Value>
void run_counting_sort(const PartialSort<Label, Value>& sort) {
  carries_out<phase::ClearPlaces, Label>();
  std::ranges::fill(sort.part_starts, size_t{0});
  const std::span<size_t> places = sort.part_starts.subspan(1);
  const LabelInput<RawMemory, Label, size_t> labels{sort.labels.data()};
  carries_out<phase::CountParts, Label>();
  run_direct(labels, sort.labels.size(), places.data(), ReduceUpdate<Sum<size_t>>{}, {});
  RawMemory memory;
  size_t start = 0;
  carries_out<phase::SumCounts, Label>();
  ScanValues<Scan::exclusive, RawMemory, size_t, Sum<size_t>>{places.data(), places.data(), {}}
      .step(0, places.size(), start, memory);
  carries_out<phase::PlaceInputs, Label>();
  PlainRadix<RawMemory, Label, Value>{
      sort.labels.data(),        sort.values.data(), sort.sorted_labels.data(),
      sort.sorted_values.data(), places.data(),      make_digit(0, label_bits(sort.m))}
      .step(0, sort.labels.size(), memory);
}

// Sorts partially by means of a pre-sort. Requires: the arguments are checked; there are inputs
template <class Label, class Value>
void run_partial_sort(const PartialSort<Label, Value>& sort, const CpuPlan& plan,
                      std::span<std::byte> scratch, ThreadTeam& threads) {
  const int bits = label_bits(sort.m);
  const auto kernel_of = [&](size_t before) {
    return UnpackParts<Label, Value>{sort, bits - plan.presort->sort_bits, before};
  };
  const SeparateInput<RawMemory, Label, Value> input{sort.labels.data(), sort.values.data()};
  Carver carver(scratch.data());
  with_store<Label, Value>(*plan.presort, [&]<class Store>(Store) {
    auto team = take_team_arrays<Store>(carver, plan, sort.labels.size(), bits);
    TeamPartition<Store> partition(team, sort.labels.size());
    carries_out<phase::ClearPlaces, Label>();
    std::ranges::fill(sort.part_starts,
                      size_t{0});  // from this point on the sort allocates nothing
    run_threaded_presort(partition, input, kernel_of, threads);
  });
}

template <class Label, class Value>
void partial_sort(std::span<const Label> labels, std::span<const Value> values, size_t m,
                  std::span<Label> sorted_labels, std::span<Value> sorted_values,
                  std::span<size_t> part_starts, CpuPlanArgument plan, std::span<std::byte> scratch,
                  ThreadTeam& threads, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label>, "labels are unsigned; choose.h takes signed ones");
  static_assert(std::is_trivially_copyable_v<Value> && std::is_default_constructible_v<Value>);
  const PartialSort<Label, Value> sort{labels,        values,        m,
                                       sorted_labels, sorted_values, part_starts};
  sort.check(plan, scratch);
  if (!labels.empty()) {
    check_team(*plan, threads);
  }
  check_labels_if(checks, labels, m, threads);

  if (labels.empty()) {
    std::ranges::fill(part_starts, size_t{0});
    return;
  }
  if (execution_of(*plan) == Execution::direct) {
    return run_counting_sort(sort);
  }
  run_partial_sort(sort, *plan, scratch, threads);
  // Parts without inputs begin where the part before them ends.
  carries_out<phase::SumCounts, Label>();
  for (size_t part = 1; part < part_starts.size(); ++part) {
    part_starts[part] = std::max(part_starts[part], part_starts[part - 1]);
  }
}

template <class Label, class Value>
void partial_sort(std::span<const Label> labels, std::span<const Value> values, size_t m,
                  std::span<Label> sorted_labels, std::span<Value> sorted_values,
                  std::span<size_t> part_starts, CpuPlanArgument plan, std::span<std::byte> scratch,
                  Checks checks = Checks::off) {
  PartialSort<Label, Value>{labels, values, m, sorted_labels, sorted_values, part_starts}.check(
      plan, scratch);
  ThreadTeam threads(team_size(*plan, labels.size()));
  partial_sort(labels, values, m, sorted_labels, sorted_values, part_starts, plan, scratch, threads,
               checks);
}

}  // namespace presort::cpu
