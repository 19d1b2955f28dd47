// Orders inputs by the top bits of their labels on a GPU, for types known when the call is made.
#pragma once

#include "python/src/cuda/elements.cuh"

namespace presort::python {

// Orders inputs stably by the top `bits` bits of their labels, which have as many bits as m buckets
// need. Part d of the result stands from starts[d] up to starts[d + 1]. Values of 4 or 8 bytes.
// Shapes:   values[labels.n], sorted_labels and sorted_values[labels.n], starts[2^bits + 1], in
//           device memory; inputs and results do not overlap
// Requires: labels[i] < m unless they are checked
// Errors:   InputError for bits that labels do not have; LabelError; as gpu::partial_sort; before
//           anything is written
void sort(const Labels& labels, int value_bytes, const void* values, int bits, void* sorted_labels,
          void* sorted_values, void* starts);

}  // namespace presort::python
