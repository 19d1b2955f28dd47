// A problem: an operation on n inputs and m buckets.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "presort/core/labels/distribution.h"
#include "presort/core/types.h"

namespace presort::inline v0 {

enum class Operation {
  multireduce,
  scatter,
  gather,
  histogram,
  multiscan,
  multitag,
  partialSort,
  segmentedReduce,
  segmentedScan,
};

inline constexpr Named<Operation> kOperations[] = {
    {"multireduce", Operation::multireduce},
    {"scatter", Operation::scatter},
    {"gather", Operation::gather},
    {"histogram", Operation::histogram},
    {"multiscan", Operation::multiscan},  // multiscan: the exclusive scan
    {"multitag", Operation::multitag},
    // Sorts labels and values by all bits of the labels; m is the number of parts. Keys of the
    // caller may have further bits below these, which do not matter.
    {"partialSort", Operation::partialSort},
    // Reduces n values in m segments: segment k has as many values as the distribution has labels k
    // (core/segments.h). Instead of labels there are the segments' offsets, of the labels' type.
    {"segmentedReduce", Operation::segmentedReduce},
    // segmentedScan: the exclusive scan of each segment
    {"segmentedScan", Operation::segmentedScan},
};

// True if an operation's inputs are values in consecutive segments.
constexpr bool is_segmented(Operation operation) {
  return operation == Operation::segmentedReduce || operation == Operation::segmentedScan;
}

// True if an operation combines each input with the bucket of its label.
constexpr bool has_buckets(Operation operation) {
  return operation != Operation::partialSort && !is_segmented(operation);
}

// True if an operation's inputs have values; false if they are labels alone.
constexpr bool has_values(Operation operation) {
  return operation == Operation::multireduce || operation == Operation::scatter ||
         operation == Operation::multiscan || !has_buckets(operation);
}

// True if an operation has a result for each input, in the order of the inputs.
constexpr bool has_results(Operation operation) {
  return operation == Operation::gather || operation == Operation::multiscan ||
         operation == Operation::multitag || operation == Operation::segmentedScan;
}

// True if an operation's buckets are counts of labels.
constexpr bool counts_labels(Operation operation) {
  return operation == Operation::histogram || operation == Operation::multitag;
}

// True if an operation writes buckets; false if it only reads them, or has none.
constexpr bool writes_buckets(Operation operation) {
  return has_buckets(operation) && operation != Operation::gather;
}

struct Problem {
  Operation operation = Operation::multireduce;
  uint64_t n = 0;  // number of inputs
  uint64_t m = 0;  // number of buckets; of parts or segments, for operations that have these
  Distribution distribution;
  Types types;
  uint64_t seed = 1;
  bool operator==(const Problem&) const = default;
  auto operator<=>(const Problem&) const = default;
};

// Checks a problem. Errors: InputError for n or m of 0, m (n with segments) above what the label
//         type can name, or counts that are no unsigned numbers.
void check_problem(const Problem& problem);

// ceil(log2 m): the number of bits of the largest label; 0 for m = 1.
int label_bits(uint64_t m);

// Problem as text: "multireduce n=2^26 m=2^20 uniform u32+u32"
std::string to_string(const Problem& problem);

}  // namespace presort
