#include "python/src/cuda/add_as.cuh"

namespace presort::python {

void add_u64_labels_wide(const AddCall& call, Sum sum) {
  return sum == Sum::f64 ? add_as<uint64_t, double>(call) : add_as<uint64_t, uint64_t>(call);
}

}  // namespace presort::python
