// Runs any plan: an optional pre-sort, then the direct kernel. multireduce.h and scatter.h are its
// callers; use those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "core/error.h"
#include "core/plan.h"
#include "core/problem.h"
#include "cpu/buffered_presort.h"
#include "cpu/plain_radix_sort.h"

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
  if (!plan.presort || n == 0) {
    return 0;
  }
  Carver carver;
  if (plan.base.strategy == Strategy::plainRadix) {
    RadixArrays<Label, Value>::take(carver, plan, n);
  } else {
    with_store<Label, Value>(*plan.presort, [&](auto store) {
      PresortArrays<decltype(store)>::template take<Label, Value>(carver, plan, n, label_bits(m));
    });
  }
  return carver.used_bytes();
}

// Errors: PlanError when the spans differ in length, the plan does not fit n inputs and m buckets,
//         or the scratch is too small or not aligned to 64 bytes
template <class Label, class Value>
void check_arguments(const Plan& plan, size_t labels, size_t values, size_t m,
                     std::span<const std::byte> scratch) {
  if (labels != values) {
    throw PlanError("labels and values differ in length: " + std::to_string(labels) + " and " +
                    std::to_string(values));
  }
  if (labels == 0) {
    return;
  }
  Problem problem;
  problem.n = labels;
  problem.m = m;
  check_plan(plan, problem);
  if (label_bits(m) > std::numeric_limits<Label>::digits) {
    throw PlanError("the label type cannot name all of the " + std::to_string(m) + " buckets");
  }
  const size_t needed = scratch_bytes<Label, Value>(plan, labels, m);
  if (scratch.size() < needed) {
    throw PlanError("scratch: found " + std::to_string(scratch.size()) + " bytes, needed " +
                    std::to_string(needed));
  }
  if (needed > 0 && reinterpret_cast<uintptr_t>(scratch.data()) % kLineBytes != 0) {
    throw PlanError("scratch: is not aligned to " + std::to_string(kLineBytes) + " bytes");
  }
}

template <class Store, class Label, class Value, class Update>
void run_buffered(std::span<const Label> labels,
                  const SeparateInput<RawMemory, Label, Value>& input, std::span<Value> buckets,
                  const Update& update, const Plan& plan, Carver& carver) {
  const auto arrays = PresortArrays<Store>::template take<Label, Value>(carver, plan, labels.size(),
                                                                        label_bits(buckets.size()));
  const int distance = plan.base.prefetch_distance;
  if (plan.presort->streaming) {
    BufferedPresort<Flush::streaming, Store, Value, Update>{arrays, buckets.data(), update,
                                                            distance}
        .run(0, input, labels.size());
  } else {
    BufferedPresort<Flush::cached, Store, Value, Update>{arrays, buckets.data(), update, distance}
        .run(0, input, labels.size());
  }
}

// Updates the buckets with every input, per bucket in the order of the inputs.
// Errors: those of check_arguments
template <class Label, class Value, class Update>
void run_plan(std::span<const Label> labels, std::span<const Value> values,
              std::span<Value> buckets, const Update& update, const Plan& plan,
              std::span<std::byte> scratch) {
  static_assert(std::is_unsigned_v<Label>);
  static_assert(std::is_trivially_copyable_v<Value> && std::is_default_constructible_v<Value>);
  check_arguments<Label, Value>(plan, labels.size(), values.size(), buckets.size(), scratch);
  if (labels.empty()) {
    return;
  }
  SeparateInput<RawMemory, Label, Value> input{labels.data(), values.data()};
  Carver carver(scratch.data());
  if (plan.presort && plan.base.strategy == Strategy::direct) {
    with_store<Label, Value>(*plan.presort, [&](auto store) {
      run_buffered<decltype(store)>(labels, input, buckets, update, plan, carver);
    });
    return;
  }
  if (plan.presort) {
    const auto arrays = RadixArrays<Label, Value>::take(carver, plan, labels.size());
    input = sort_plain_radix(arrays, plan, label_bits(buckets.size()), input, labels.size());
  }
  run_direct(input, labels.size(), buckets.data(), update, plan.base.prefetch_distance);
}

}  // namespace presort::cpu
