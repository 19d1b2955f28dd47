// What is computed: an operation on n inputs and m buckets.
#pragma once

#include <cstdint>
#include <string>

#include "core/distribution.h"
#include "core/types.h"

namespace presort {

enum class Operation { multireduce, scatter };

inline constexpr Named<Operation> kOperations[] = {
    {"multireduce", Operation::multireduce},
    {"scatter", Operation::scatter},
};

struct Problem {
  Operation operation = Operation::multireduce;
  uint64_t n = 0;  // inputs
  uint64_t m = 0;  // buckets
  Distribution distribution;
  Types types;
  uint64_t seed = 1;
  bool operator==(const Problem&) const = default;
};

// Errors: InputError for n or m of 0, or m above what the label type can name.
void check_problem(const Problem& problem);

// ceil(log2 m): the number of bits of the largest label; 0 for m = 1.
int label_bits(uint64_t m);

std::string to_string(const Problem& problem);  // "multireduce n=2^26 m=2^20 uniform u32+u32"

}  // namespace presort
