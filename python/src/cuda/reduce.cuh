// Reduces values into buckets on a GPU, for types and an operator known when the call is made.
#pragma once

#include "python/src/cuda/elements.cuh"

namespace presort::python {

// buckets[k] = buckets[k] ⊙ (values[j] for every j with labels[j] == k)
// Shapes:   values[labels.n], buckets[labels.m], in device memory
// Requires: element is neither f16 nor bf16; labels[j] < m unless they are checked
// Errors:   as gpu::multireduce (presort/gpu/calls.cuh)
void reduce(const Labels& labels, Element element, Reduce operation, const void* values,
            void* buckets);

// The above for one pair of types, compiled in a source of its own (reduce_as.cu.in).
// Requires: integers with a sign are only compared; only floats are summed in order
template <class Label, class Value>
void reduce_as(const Labels& labels, Reduce operation, const Value* values, Value* buckets);

}  // namespace presort::python
