// Runs any plan: an optional pre-sort, then the direct kernel, by one thread or several.
// multireduce.h and scatter.h are its callers; use those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "core/error.h"
#include "core/plan.h"
#include "cpu/arguments.h"
#include "cpu/buffered_presort.h"
#include "cpu/check_labels.h"
#include "cpu/direct_run.h"
#include "cpu/owned_direct.h"
#include "cpu/plain_radix_sort.h"
#include "cpu/private_tables.h"
#include "cpu/thread_team.h"
#include "cpu/threaded_presort.h"

namespace presort::cpu {

// Calls f with the type of the plan's arrays; they are what f must take from a Carver.
template <class Label, class Value, class F>
auto with_store(const Presort& presort, F f) {
  if (presort.layout == Layout::pairs) {
    return f(PairStore<Label, Value>{});
  }
  return f(SeparateStore<Label, Value>{});
}

// Bytes of scratch that the plan needs for n inputs and m buckets, whatever the labels are.
// Requires: check_plan(plan) passes for m
template <class Label, class Value>
size_t scratch_bytes(const Plan& plan, size_t n, size_t m) {
  if (n == 0) {
    return 0;
  }
  Carver carver;
  if (plan.base.strategy == Strategy::privateTables) {
    TableArrays<Value>::take(carver, static_cast<size_t>(plan.resources.threads), m);
  } else if (plan.base.strategy == Strategy::plainRadix) {
    RadixArrays<Label, Value>::take(carver, plan, n);
  } else if (plan.presort) {
    with_store<Label, Value>(*plan.presort, [&]<class Store>(Store) {
      if (plan.resources.threads > 1) {
        take_team_arrays<Store>(carver, plan, n, label_bits(m));
      } else {
        PresortArrays<Store>::take(carver, plan, n, label_bits(m));
      }
    });
  }
  return carver.used_bytes();
}

// Errors: PlanError when the spans differ in length, the plan does not fit n inputs and m buckets,
//         or the scratch is too small or not aligned to 64 bytes
template <class Label, class Value>
void check_arguments(const Plan& plan, size_t labels, size_t values, size_t m,
                     std::span<const std::byte> scratch) {
  check_lengths("labels", labels, "values", values);
  if (labels == 0) {
    return;
  }
  check_plan_for<Label>(Operation::multireduce, plan, labels, m);
  check_scratch(scratch, scratch_bytes<Label, Value>(plan, labels, m));
}

// Of a plan with a buffered pre-sort.
template <class Store, class Label, class Value, class Update>
void run_buffered(const SeparateInput<RawMemory, Label, Value>& input, size_t n,
                  std::span<Value> buckets, const Update& update, const Plan& plan, Carver& carver,
                  ThreadTeam& threads) {
  using Input = SeparateInput<RawMemory, Label, Value>;
  const int bits = label_bits(buckets.size());
  const Distances distances = part_distances(plan.base);
  with_flush(*plan.presort, [&]<Flush kFlush>(std::integral_constant<Flush, kFlush>) {
    if (plan.resources.threads > 1) {
      auto team = take_team_arrays<Store>(carver, plan, n, bits);
      ThreadedPresort<kFlush, Store, Input, Value, Update>(team, input, n, buckets.data(), update,
                                                           distances)
          .run(threads);
    } else {
      const auto arrays = PresortArrays<Store>::take(carver, plan, n, bits);
      const DirectKernel<Value, Update> kernel{buckets.data(), update, distances};
      run_presorted<kFlush>(arrays, kernel, input, n);
    }
  });
}

template <class Label, class Value, class Update>
void run_direct_plan(SeparateInput<RawMemory, Label, Value> input, size_t n,
                     std::span<Value> buckets, const Update& update, const Plan& plan,
                     Carver& carver, ThreadTeam& threads) {
  const Distances distances = plain_distances(plan.base);
  if (plan.base.strategy == Strategy::privateTables) {
    const auto arrays = TableArrays<Value>::take(carver, threads.size(), buckets.size());
    run_private_tables(arrays, input, n, buckets, update, distances, threads);
  } else if (plan.resources.threads > 1) {
    run_owned_direct(input, n, buckets, update, distances, threads);
  } else {
    if (plan.presort) {
      const auto arrays = RadixArrays<Label, Value>::take(carver, plan, n);
      input = sort_plain_radix(arrays, plan, label_bits(buckets.size()), input, n);
    }
    run_direct(input, n, buckets.data(), update, distances);
  }
}

// Errors: PlanError when there are not as many threads as the plan has
inline void check_team(const Plan& plan, const ThreadTeam& threads) {
  if (threads.size() != static_cast<size_t>(plan.resources.threads)) {
    throw PlanError("threads: found '" + std::to_string(plan.resources.threads) +
                    "', accepted: " + std::to_string(threads.size()) + ", those of the team");
  }
}

// Updates the buckets with every input, per bucket in the order of the inputs.
// Errors: those of check_arguments and check_team; LabelError when labels are checked
template <class Label, class Value, class Update>
void run_plan(std::span<const Label> labels, std::span<const Value> values,
              std::span<Value> buckets, const Update& update, const Plan& plan,
              std::span<std::byte> scratch, ThreadTeam& threads, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label>);
  static_assert(std::is_trivially_copyable_v<Value> && std::is_default_constructible_v<Value>);
  check_arguments<Label, Value>(plan, labels.size(), values.size(), buckets.size(), scratch);
  if (labels.empty()) {
    return;
  }
  check_team(plan, threads);
  check_labels_if(checks, labels, buckets.size());
  const SeparateInput<RawMemory, Label, Value> input{labels.data(), values.data()};
  Carver carver(scratch.data());
  if (plan.presort && plan.base.strategy == Strategy::direct) {
    with_store<Label, Value>(*plan.presort, [&]<class Store>(Store) {
      run_buffered<Store>(input, labels.size(), buckets, update, plan, carver, threads);
    });
  } else {
    run_direct_plan(input, labels.size(), buckets, update, plan, carver, threads);
  }
}

// The same with threads that are started for it.
template <class Label, class Value, class Update>
void run_plan(std::span<const Label> labels, std::span<const Value> values,
              std::span<Value> buckets, const Update& update, const Plan& plan,
              std::span<std::byte> scratch, Checks checks = Checks::off) {
  check_arguments<Label, Value>(plan, labels.size(), values.size(), buckets.size(), scratch);
  ThreadTeam threads(labels.empty() ? 1 : static_cast<size_t>(plan.resources.threads));
  run_plan(labels, values, buckets, update, plan, scratch, threads, checks);
}

}  // namespace presort::cpu
