#include "python/src/cuda/groups.cuh"

namespace presort::python {
namespace {

template <class Value>
uint64_t sum_values(const Groups& groups, uint64_t* count) {
  return groups.key_bytes == 4 ? group_sum_as<uint32_t, Value>(groups, count)
                               : group_sum_as<uint64_t, Value>(groups, count);
}

}  // namespace

uint64_t group_sum(const Groups& groups, Element element, uint64_t* count) {
  switch (element) {
    case Element::f32:
      return sum_values<float>(groups, count);
    case Element::f64:
      return sum_values<double>(groups, count);
    case Element::u32:
    case Element::i32:  // sums of numbers with a sign have the bits of those without
      return sum_values<uint32_t>(groups, count);
    default:
      return sum_values<uint64_t>(groups, count);
  }
}

}  // namespace presort::python
