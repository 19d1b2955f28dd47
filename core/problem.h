// What is computed: an operation on n inputs and m buckets.
#pragma once

#include <cstdint>
#include <string>

#include "core/distribution.h"
#include "core/types.h"

namespace presort {

enum class Operation { multireduce, scatter, gather, histogram, multiscan, multitag };

inline constexpr Named<Operation> kOperations[] = {
    {"multireduce", Operation::multireduce}, {"scatter", Operation::scatter},
    {"gather", Operation::gather},           {"histogram", Operation::histogram},
    {"multiscan", Operation::multiscan},  // the exclusive one
    {"multitag", Operation::multitag},
};

// Whether the inputs are labels with values, or labels alone.
constexpr bool has_values(Operation operation) {
  return operation == Operation::multireduce || operation == Operation::scatter ||
         operation == Operation::multiscan;
}

// Whether there is a result for each input.
constexpr bool has_results(Operation operation) {
  return operation == Operation::gather || operation == Operation::multiscan ||
         operation == Operation::multitag;
}

// Whether the buckets are counts of labels.
constexpr bool counts_labels(Operation operation) {
  return operation == Operation::histogram || operation == Operation::multitag;
}

// Whether the buckets are written to, or only read.
constexpr bool writes_buckets(Operation operation) {
  return operation != Operation::gather;
}

struct Problem {
  Operation operation = Operation::multireduce;
  uint64_t n = 0;  // inputs
  uint64_t m = 0;  // buckets
  Distribution distribution;
  Types types;
  uint64_t seed = 1;
  bool operator==(const Problem&) const = default;
};

// Errors: InputError for n or m of 0, m above what the label type can name, or counts that are no
//         unsigned numbers.
void check_problem(const Problem& problem);

// ceil(log2 m): the number of bits of the largest label; 0 for m = 1.
int label_bits(uint64_t m);

std::string to_string(const Problem& problem);  // "multireduce n=2^26 m=2^20 uniform u32+u32"

}  // namespace presort
