// The thesis' own pre-sort: radix sort by the labels' top bits, least significant digit first, each pass
// over the whole input and without buffers.
// Source: Eilers 2014, alg. 2.4
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/cpu/plan/passes.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/presort/count_digits.h"
#include "presort/cpu/presort/store.h"

namespace presort::inline v0::cpu {

template <class Label, class Value>
struct RadixArrays {
  size_t* positions = nullptr;
  uint32_t* tables = nullptr;
  std::array<SeparateStore<Label, Value>, 2> results{};

  // Takes the scratch arrays of the thesis' radix sort. Requires: plan.presort
  static RadixArrays take(Carver& carver, const CpuPlan& plan, size_t n) {
    RadixArrays a;
    const size_t most_digits = size_t{1} << bits_of_pass(*plan.presort, 0);
    a.positions = carver.take<size_t>(most_digits);
    a.tables = carver.take<uint32_t>(kCountTables * most_digits);
    for (int result = 0; result < std::min(2, plan.presort->passes); ++result) {
      a.results[static_cast<size_t>(result)] = SeparateStore<Label, Value>::take(carver, n);
    }
    return a;
  }
};

// Sorts `count` inputs by the top sort_bits of label_bits bits, stably. Returns the sorted input,
// one of the results; the input itself stays as it was.
template <class Label, class Value>
SeparateInput<RawMemory, Label, Value> sort_plain_radix(
    const RadixArrays<Label, Value>& arrays, const CpuPlan& plan, int label_bits,
    SeparateInput<RawMemory, Label, Value> input, size_t count) {
  RawMemory memory;
  for (const Pass& run : radix_runs(*plan.presort)) {
    const Digit digit = digit_of(run, label_bits);
    const SeparateStore<Label, Value>& result =
        arrays.results[static_cast<size_t>(run.from.passes % 2)];
    const auto number = static_cast<size_t>(run.from.passes);
    carries_out<phase::CountRun, Label>(number, digit);
    count_digits(input, count, digit, arrays.tables, arrays.positions);
    counts_to_starts(arrays.positions, digit.count(), 0, 1);
    carries_out<phase::MoveRun, Label>(number, digit);
    PlainRadix<RawMemory, Label, Value>{input.labels,  input.values,     result.labels,
                                        result.values, arrays.positions, digit}
        .step(0, count, memory);
    input = result.input(0);
  }
  return input;
}

}  // namespace presort::cpu
