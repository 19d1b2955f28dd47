// The plain loop of an operation on some inputs and buckets that are in memory.
#pragma once

#include <cstddef>
#include <span>

#include "presort/core/monoid.h"
#include "presort/core/problem.h"
#include "presort/cpu/detail/direct_run.h"
#include "presort/cpu/detail/input.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/phases/update.h"

namespace presort::inline v0::external {

// Buckets are fetched this many inputs ahead, inputs by their usual distance.
inline constexpr cpu::Distances kPartDistances{32, cpu::kInputDistance};

// Updates buckets with inputs, in their order. An operation without values counts labels.
// Requires: multireduce, scatter or histogram; labels are below the number of buckets
template <class Label, class Value>
void update_buckets(Operation operation, std::span<const Label> labels,
                    std::span<const Value> values, Value* buckets) {
  using cpu::RawMemory;
  const cpu::SeparateInput<RawMemory, Label, Value> pairs{labels.data(), values.data()};
  switch (operation) {
    case Operation::scatter:
      return cpu::run_direct(pairs, labels.size(), buckets, cpu::AssignUpdate{}, kPartDistances);
    case Operation::histogram:
      return cpu::run_direct(cpu::LabelInput<RawMemory, Label, Value>{labels.data()}, labels.size(),
                             buckets, cpu::ReduceUpdate<Sum<Value>>{}, kPartDistances);
    default:
      return cpu::run_direct(pairs, labels.size(), buckets, cpu::ReduceUpdate<Sum<Value>>{},
                             kPartDistances);
  }
}

// results[i] = table[labels[i]]. Requires: labels are below the number of the table's elements
template <class Label, class Value>
void gather_from(std::span<const Label> labels, Value* table, Value* results) {
  using cpu::RawMemory;
  using Results = cpu::ResultArray<RawMemory, Value>;
  cpu::run_direct(cpu::LabelInput<RawMemory, Label, Value>{labels.data()}, labels.size(), table,
                  cpu::GatherUpdate<Results>{Results{results}}, kPartDistances);
}

}  // namespace presort::external
