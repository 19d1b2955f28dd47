// A problem: an operation on n inputs and m buckets.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "presort/core/axes/tensor_shape.h"
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
  scan,
  compact,
  reduceAxes,
  multireduceInOrder,
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
    // scan: the exclusive scan of n values. There are no labels; m is 1.
    {"scan", Operation::scan},
    // Keeps, in their order, the values whose label is not 0. A label is a flag of one byte: of
    // uniform labels below m, the share (m - 1) / m of the values is kept.
    {"compact", Operation::compact},
    // Sums over some axes of a dense row-major tensor, whose last axis is the fastest. There are no
    // labels; n is the number of elements, m that of results.
    {"reduceAxes", Operation::reduceAxes},
    // A multireduce whose operator does not commute: bucket = value, unless value is 0. A bucket
    // ends as the last value of its label that is not 0.
    {"multireduceInOrder", Operation::multireduceInOrder},
};

// True if an operation has a scan of each segment; a scan of all values has one segment.
constexpr bool scans_segments(Operation operation) {
  return operation == Operation::segmentedScan || operation == Operation::scan;
}

// True if an operation's inputs are values in consecutive segments.
constexpr bool is_segmented(Operation operation) {
  return operation == Operation::segmentedReduce || scans_segments(operation);
}

// True if an operation depends on labels: on those of its inputs, or on the lengths of segments,
// which the distribution of labels gives.
constexpr bool has_labels(Operation operation) {
  return operation != Operation::scan && operation != Operation::reduceAxes;
}

// True if an operation combines each input with the bucket of its label.
constexpr bool has_buckets(Operation operation) {
  return operation != Operation::partialSort && operation != Operation::compact &&
         operation != Operation::reduceAxes && !is_segmented(operation);
}

// True if an operation's inputs have values; false if they are labels alone.
constexpr bool has_values(Operation operation) {
  return operation == Operation::multireduce || operation == Operation::multireduceInOrder ||
         operation == Operation::scatter || operation == Operation::multiscan ||
         !has_buckets(operation);
}

// True if an operation has a result for each input, in the order of the inputs.
constexpr bool has_results(Operation operation) {
  return operation == Operation::gather || operation == Operation::multiscan ||
         operation == Operation::multitag || scans_segments(operation);
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
  // Number of buckets; of parts, segments or results, for operations that have these
  uint64_t m = 0;
  Distribution distribution;
  Types types;
  uint64_t seed = 1;
  Extents shape = {};  // extents of the tensor of a reduceAxes; none for other operations
  AxisSet axes = {};   // axes that a reduceAxes reduces
  bool operator==(const Problem&) const = default;
  auto operator<=>(const Problem&) const = default;
};

// Checks a problem. Errors: InputError for n or m of 0, m (n with segments) above what the label
//         type can name, counts that are no unsigned numbers, flags that are not of one byte, an m
//         or a distribution where an operation has no labels, a reduceAxes without axes, with an
//         axis that its shape does not have, or with an n or m that is not its shape's
void check_problem(const Problem& problem);

// ceil(log2 m): the number of bits of the largest label; 0 for m = 1.
int label_bits(uint64_t m);

// Problem as text: "multireduce n=2^26 m=2^20 uniform u32+u32", "scan n=2^26 u32+f32",
// "reduceAxes 512x512x1024 over 1 u32+f32"
std::string to_string(const Problem& problem);

}  // namespace presort
