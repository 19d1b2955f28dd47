// The operations of presort.h on arrays whose types are known at run time: what the C library and the
// Python package rest on. With j such that labels[j] == k:
//   multireduce   buckets[k] ⊙= values[j] for every j, in order
//   scatter       buckets[k] = values[j] of the last j
//   gather        results[i] = table[labels[i]]
//   histogram     counts[k] += the number of j
//   multiscan     results[i] = buckets[labels[i]] before or after its own value; a sum
//   multitag      results[i] = counts[labels[i]] + the number of j < i; counts as histogram
//   partial_sort  labels and values, stably by the labels' top `sort_bits` bits, in parts
// Types:    labels u32, u64, i32 or i64; a negative label is above every bucket. Values, and the buckets
//           or results that they go to, have one type: u32, u64, i32, i64, f32 or f64; scatter, gather
//           and partial_sort move values without looking at them. Counts u32, u64, i32 or i64.
//           part_starts u64
// Shapes:   labels[n], values[n], results[n]; buckets[m], counts[m], table[m], m their length;
//           part_starts[number of parts + 1] (cpu/partial_sort.h)
// Order:    that of the inputs, with every plan: sums of f32 and f64 are those of one loop
// NaN:      minimum and maximum of a NaN and a number are the number, unless the bucket began
//           with the NaN
// Overflow: integers wrap
// Returns:  the plan that ran, and what it was chosen for
// Errors:   SpanError naming an argument whose type is none of the above, or is not that of the other;
//           those of the operation (presort.h), before anything is written
#pragma once

#include "presort/arrays/array.h"
#include "presort/core/choice/plan_choice.h"
#include "presort/core/scan.h"
#include "presort/cpu/call_options.h"

namespace presort::inline v0::arrays {

enum class Operator { sum, product, least, greatest };

PlanChoice multireduce(const Input& labels, const Input& values, const Output& buckets, Operator op,
                       const PlanSource& source = {}, const CallOptions& options = {});
PlanChoice scatter(const Input& labels, const Input& values, const Output& buckets,
                   const PlanSource& source = {}, const CallOptions& options = {});
PlanChoice gather(const Input& labels, const Input& table, const Output& results,
                  const PlanSource& source = {}, const CallOptions& options = {});
PlanChoice histogram(const Input& labels, const Output& counts, const PlanSource& source = {},
                     const CallOptions& options = {});
PlanChoice multiscan(Scan scan, const Input& labels, const Input& values, const Output& buckets,
                     const Output& results, const PlanSource& source = {},
                     const CallOptions& options = {});
PlanChoice multitag(const Input& labels, const Output& counts, const Output& results,
                    const PlanSource& source = {}, const CallOptions& options = {});
PlanChoice partial_sort(const Input& labels, const Input& values, size_t m,
                        const Output& sorted_labels, const Output& sorted_values,
                        const Output& part_starts, int sort_bits, const CallOptions& options = {});

}  // namespace presort::arrays
