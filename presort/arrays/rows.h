// Rows by label on arrays whose types are known at run time: what graph networks and embeddings add
// and read. With j such that labels[j] == k, for each of `columns` columns d:
//   add_rows   buckets[k][d] += values[j][d] for every j
//   take_rows  results[i][d] = table[labels[i]][d]
// Types:    labels u32, u64, i32 or i64; a negative label is above every bucket. Values, buckets,
//           tables and results u32, u64, i32, i64, f32 or f64, of one type in each call
// Shapes:   labels[n], values[n][columns], results[n][columns]; buckets[m][columns],
//           table[m][columns]; arrays are given with all their elements in one piece
// Order:    integers are added exactly. Sums of f32 and f64 group inputs by n, columns and labels
//           alone (core/row_chunks.h): they have the same bits in every run with any number of
//           threads, but not always those of one loop
// Threads:  the team of the options, else one thread
// Errors:   SpanError naming an argument whose type is none of the above, or is not that of the other;
//           PlanError and LabelError of cpu/multireduce_rows.h and cpu/gather_rows.h; EnvironmentError
//           when there is no memory for the scratch; all before anything is written
#pragma once

#include <cstddef>

#include "presort/arrays/array.h"
#include "presort/cpu/call_options.h"

namespace presort::inline v0::arrays {

void add_rows(const Input& labels, const Input& values, const Output& buckets, size_t m,
              size_t columns, const CallOptions& options = {});
void take_rows(const Input& labels, const Input& table, const Output& results, size_t m,
               size_t columns, const CallOptions& options = {});

}  // namespace presort::arrays
