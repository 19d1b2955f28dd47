#include "python/src/cuda/add_as.cuh"

namespace presort::python {

void add_u64_labels(const AddCall& call, Sum sum) {
  switch (sum) {
    case Sum::u32:
      return add_as<uint64_t, uint32_t>(call);
    case Sum::f32:
      return add_as<uint64_t, float>(call);
    default:
      return add_u64_labels_wide(call, sum);
  }
}

}  // namespace presort::python
