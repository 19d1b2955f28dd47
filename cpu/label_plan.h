// Runs any plan of an operation that has labels alone and a result for each.
// gather.h and multitag.h are its callers; use those.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "cpu/permuted_presort.h"
#include "cpu/results.h"

namespace presort::cpu {

// A partition of labels alone, and results that stand at their places.
template <class Label, class Value>
struct LabelRoundTrip {
  using Store = LabelStore<Label, Value>;
  using Results = ResultArray<RawMemory, Value>;

  PresortArrays<Store> arrays;
  std::array<Results, 2> results{};

  // Requires: plan.presort
  static LabelRoundTrip take(Carver& carver, const Plan& plan, size_t n, size_t m) {
    LabelRoundTrip trip{PresortArrays<Store>::take(carver, plan, n, label_bits(m))};
    for (size_t output = 0; output < std::min<size_t>(2, trip.arrays.passes); ++output) {
      trip.results[output].results = carver.take<Value>(trip.arrays.padding(output) + n);
    }
    return trip;
  }
};

// Requires: check_plan(plan, problem) passes
template <class Label, class Value>
size_t label_plan_scratch_bytes(const Plan& plan, size_t n, size_t m) {
  Carver carver;
  if (n > 0 && plan.presort) {
    LabelRoundTrip<Label, Value>::take(carver, plan, n, m);
  }
  return carver.used_bytes();
}

// kernel(input, count, results) sets the results of some inputs, from their labels.
// Requires: the arguments are checked
template <class Label, class Value, class Kernel>
void run_label_plan(std::span<const Label> labels, size_t m, std::span<Value> results,
                    const Kernel& kernel, const Plan& plan, std::span<std::byte> scratch) {
  const LabelInput<RawMemory, Label, Value> input{labels.data()};
  const ResultArray<RawMemory, Value> to{results.data()};
  if (!plan.presort) {
    return kernel(input, labels.size(), to);
  }
  Carver carver(scratch.data());
  const auto trip = LabelRoundTrip<Label, Value>::take(carver, plan, labels.size(), m);
  with_flush(*plan.presort, [&]<Flush kFlush>(std::integral_constant<Flush, kFlush>) {
    run_permuted<kFlush>(trip.arrays, trip.results, kernel, input, labels.size(), to);
  });
}

}  // namespace presort::cpu
