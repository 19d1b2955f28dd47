// The calls of calls.h for one type of values, each type compiled in a source of its own (u32.cpp,
// …). calls.h has checked the types of the arrays.
#pragma once

#include "presort/arrays/calls.h"

namespace presort::inline v0::arrays {

// Arguments of a multireduce with any operator, or of a multiscan, whose operator is a sum.
struct Reduction {
  const Input& labels;
  const Input& values;
  const Output& buckets;
  Operator op;
  const PlanSource& source;
  const CallOptions& options;
};

// Reductions by sums and products; for integers the sign of the type does not matter. Value: u32, u64,
// f32 or f64.
template <class Value>
PlanChoice multireduce_arithmetic(const Reduction& call);
template <class Value>
PlanChoice multiscan_sums(Scan scan, const Reduction& call, const Output& results);

// Reductions by minima and maxima. Value: u32, u64, i32, i64, f32 or f64.
template <class Value>
PlanChoice multireduce_ordered(const Reduction& call);

// Operations that only move values. Value: u32 or u64, which stand for all types of 4 or 8 bytes.
template <class Value>
PlanChoice scatter_moved(const Input& labels, const Input& values, const Output& buckets,
                         const PlanSource& source, const CallOptions& options);
template <class Value>
PlanChoice gather_moved(const Input& labels, const Input& table, const Output& results,
                        const PlanSource& source, const CallOptions& options);
template <class Value>
PlanChoice partial_sort_moved(const Input& labels, const Input& values, size_t m,
                              const Output& sorted_labels, const Output& sorted_values,
                              const Output& part_starts, int sort_bits, const CallOptions& options);

// Operations that count. Count: u32 or u64.
template <class Count>
PlanChoice histogram_counts(const Input& labels, const Output& counts, const PlanSource& source,
                            const CallOptions& options);
template <class Count>
PlanChoice multitag_counts(const Input& labels, const Output& counts, const Output& results,
                           const PlanSource& source, const CallOptions& options);

}  // namespace presort::arrays
