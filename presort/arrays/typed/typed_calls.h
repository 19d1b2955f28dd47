// The calls of calls.h for one type of values, each compiled in a source of its own (u32.cpp, …).
// Arrays are what calls.h has checked: their types are those that the names say.
#pragma once

#include "presort/arrays/calls.h"

namespace presort::inline v0::arrays {

// A multireduce, or a multiscan, which sums: what goes in.
struct Reduction {
  const Input& labels;
  const Input& values;
  const Output& buckets;
  Operator op;
  const PlanSource& source;
  const CallOptions& options;
};

// Sums and products, which for integers do not depend on the sign: Value is u32, u64, f32 or f64.
template <class Value>
PlanChoice multireduce_arithmetic(const Reduction& call);
template <class Value>
PlanChoice multiscan_sums(Scan scan, const Reduction& call, const Output& results);

// The lesser and the greater: Value is any of the six types.
template <class Value>
PlanChoice multireduce_ordered(const Reduction& call);

// Values that are moved: Value is u32 or u64, for all types of as many bytes.
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

// Counts: Count is u32 or u64.
template <class Count>
PlanChoice histogram_counts(const Input& labels, const Output& counts, const PlanSource& source,
                            const CallOptions& options);
template <class Count>
PlanChoice multitag_counts(const Input& labels, const Output& counts, const Output& results,
                           const PlanSource& source, const CallOptions& options);

}  // namespace presort::arrays
