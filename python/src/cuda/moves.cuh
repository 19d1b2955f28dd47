// Counts labels, and writes and reads single elements by label, on a GPU, for types known when the call is
// made. Elements are moved without looking at them, so only their size matters: 4 or 8 bytes.
#pragma once

#include "python/src/cuda/elements.cuh"

namespace presort::python {

// counts[k] += the number of j with labels[j] == k. counts[labels.m] of 4 or 8 bytes, in device memory.
// Errors: as gpu::histogram (presort/gpu/calls.cuh), like those below
void count(const Labels& labels, int count_bytes, void* counts);

// buckets[labels[j]] = values[j], the last one winning. values[labels.n], buckets[labels.m]
void scatter(const Labels& labels, int element_bytes, const void* values, void* buckets);

// results[i] = table[labels[i]]. table[labels.m], results[labels.n]
void take(const Labels& labels, int element_bytes, const void* table, void* results);

}  // namespace presort::python
