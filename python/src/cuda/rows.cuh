// Adds rows into rows of buckets, and reads rows, on a GPU, for types known when the call is made. Sums have
// the same bits in every run (presort/gpu/multireduce_rows.cuh); a single column makes sums of numbers so.
#pragma once

#include "python/src/cuda/elements.cuh"

namespace presort::python {

// buckets[labels[j]][d] += rows[j][d] for every j, in order. Sums of 16-bit floats are computed as float and
// rounded once.
// Shapes:   rows[labels.n][columns], buckets[labels.m][columns], in device memory
// Requires: labels[j] < m unless they are checked
// Errors:   as gpu::multireduce_rows and gpu::row_order; LabelError; before any bucket is written
void add_rows(const Labels& labels, Element element, const void* rows, uint64_t columns,
              void* buckets);

// rows[i][d] = buckets[labels[i]][d], of elements of 2, 4 or 8 bytes.
// Shapes:   as add_rows
// Requires: labels[i] < m unless they are checked
// Errors:   as gpu::gather_rows; LabelError; before anything is written
void take_rows(const Labels& labels, int element_bytes, const void* buckets, uint64_t columns,
               void* rows);

}  // namespace presort::python
