// Scans values and numbers inputs by label on a GPU, for types known when the call is made.
#pragma once

#include "python/src/cuda/elements.cuh"

namespace presort::python {

// results[i] = buckets[k] + the values before input i that have its label k, and its own if
// `inclusive`; the buckets then hold the whole sums. Sums of floats have the same bits in every
// call.
// Shapes:   values[labels.n], results[labels.n], buckets[labels.m], in device memory
// Requires: element is neither f16 nor bf16; labels[i] < m unless they are checked
// Errors:   as gpu::multiscan (presort/gpu/calls.cuh)
void scan(const Labels& labels, Element element, bool inclusive, const void* values, void* buckets,
          void* results);

// One pair of types of scan(), compiled in a source of its own (scan_as.cu.in).
template <class Label, class Value>
void scan_as(const Labels& labels, bool inclusive, const Value* values, Value* buckets,
             Value* results);

// results[i] = counts[k] + the number of inputs before i that have its label k; the counts then
// hold the whole numbers. Counts and results of 4 or 8 bytes.
// Shapes, Requires, Errors: as scan(), of gpu::multitag
void tag(const Labels& labels, int count_bytes, void* counts, void* results);

}  // namespace presort::python
