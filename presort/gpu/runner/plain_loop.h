// The plain loop that runs on a GPU are checked with. No CUDA types.
#pragma once

#include <cstdint>
#include <span>

#include "presort/core/problem.h"

namespace presort::inline v0::gpu {

// Takes the inputs one after the other, as the operation says.
// Shapes: labels[n]; values[n], or none where the operation reads none; buckets[m]; results[n], or
//         none where the operation writes none
// Requires: labels[i] < m; an operation with buckets, but not partialSort
template <class Label, class Value>
void plain_loop(Operation operation, std::span<const Label> labels, std::span<const Value> values,
                std::span<Value> buckets, std::span<Value> results) {
  for (uint64_t i = 0; i < labels.size(); ++i) {
    Value& bucket = buckets[labels[i]];
    switch (operation) {
      case Operation::multireduce:
        bucket += values[i];
        break;
      case Operation::multireduceInOrder:
        bucket = values[i] != Value{} ? values[i] : bucket;
        break;
      case Operation::scatter:
        bucket = values[i];
        break;
      case Operation::histogram:
        bucket += 1;
        break;
      case Operation::multiscan:
        results[i] = bucket;
        bucket += values[i];
        break;
      case Operation::multitag:
        results[i] = bucket;
        bucket += 1;
        break;
      default:
        results[i] = bucket;
    }
  }
}

}  // namespace presort::gpu
