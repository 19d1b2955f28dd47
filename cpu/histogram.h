// Counts labels: counts[k] = counts[k] + the number of i with labels[i] == k. A multireduce of
// ones, without an array of values. Shapes:   labels[n], counts[m];
// scratch[histogram_scratch_bytes<Label>(plan, n, m)] Units:    n, m in elements; scratch in bytes,
// aligned to 64 Requires: labels[i] < m, checked with Checks::on; no overlap; Count is unsigned,
// and counts that
//           outgrow it wrap around
// Errors:   PlanError when the plan does not fit (see below), or the scratch is too small or
//           misaligned; with Checks::on LabelError with the first label that is not below m; all
//           before anything is written. Nothing is allocated.
// Threads:  1; plans with more are refused
// Plans:    strategy=direct, with or without software prefetch; with nSets=4, of up to 2^16
//           buckets, labels are counted in four tables by turns, so that equal labels in a row do
//           not wait for each other's store; or with a pre-sort of any number of passes
// Source:   Eilers 2014, §1.2 and alg. 2.2
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/monoid.h"
#include "cpu/arguments.h"
#include "cpu/buffered_presort.h"
#include "cpu/check_labels.h"
#include "cpu/direct_run.h"
#include "cpu/phases/histogram.h"
#include "cpu/phases/private_tables.h"
#include "cpu/phases/update.h"

namespace presort::cpu {

// The digit that is the whole label.
inline Digit whole_label(size_t m) {
  return make_digit(0, label_bits(m));
}

// Bytes of scratch that the plan needs for n inputs and m buckets.
// Requires: check_plan(plan, problem) passes
template <class Label>
size_t histogram_scratch_bytes(const Plan& plan, size_t n, size_t m) {
  Carver carver;
  if (n > 0 && plan.presort) {
    PresortArrays<LabelStore<Label, uint64_t>>::take(carver, plan, n, label_bits(m));
  } else if (n > 0 && plan.base.n_sets > 1) {
    carver.take<uint32_t>(kCountTables * whole_label(m).count());
  }
  return carver.used_bytes();
}

// Counts in kCountTables tables by turns, and adds them up.
// Shapes: tables[kCountTables · whole_label(m).count()]
template <class Input, class Count>
void count_in_sets(const Input& input, size_t n, std::span<Count> counts, uint32_t* tables) {
  static_assert(kCountTables == kHistogramSets);
  const Digit digit = whole_label(counts.size());
  RawMemory memory;
  for (size_t first = 0; first < n; first += std::min(kMaxCountedInputs, n - first)) {
    const size_t last = first + std::min(kMaxCountedInputs, n - first);
    FillTable<RawMemory, uint32_t>{tables, 0}.step(0, kCountTables * digit.count(), memory);
    DigitHistogram<RawMemory, Input>{input, tables, digit}.step(first, last, memory);
    MergeReduced<RawMemory, Count, Sum<Count>, uint32_t>{
        counts.data(), tables, digit.count(), kCountTables, {}}
        .step(0, counts.size(), memory);
  }
}

template <class Label, class Count>
void histogram(std::span<const Label> labels, std::span<Count> counts, const Plan& plan,
               std::span<std::byte> scratch, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && std::is_unsigned_v<Count>);
  if (labels.empty()) {
    return;
  }
  const size_t n = labels.size();
  check_plan_for<Label>(Operation::histogram, plan, n, counts.size());
  check_scratch(scratch, histogram_scratch_bytes<Label>(plan, n, counts.size()));
  check_labels_if(checks, labels, counts.size());

  using Store = LabelStore<Label, Count>;
  using Update = ReduceUpdate<Sum<Count>>;
  using Input = typename Store::Input;
  const Input input{labels.data()};
  const Distances distances = distances_of(plan);
  Carver carver(scratch.data());
  if (plan.base.n_sets > 1) {
    const size_t entries = kCountTables * whole_label(counts.size()).count();
    return count_in_sets(input, n, counts, carver.take<uint32_t>(entries));
  }
  if (!plan.presort) {
    return run_direct(input, n, counts.data(), Update{}, distances);
  }
  const auto arrays = PresortArrays<Store>::take(carver, plan, n, label_bits(counts.size()));
  const Update update{};
  const DirectKernel<Count, Update> kernel{counts.data(), update, distances};
  with_flush(*plan.presort, [&]<Flush kFlush>(std::integral_constant<Flush, kFlush>) {
    run_presorted<kFlush>(arrays, kernel, input, n);
  });
}

}  // namespace presort::cpu
