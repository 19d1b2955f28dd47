#include "python/src/cuda/reduce.cuh"

namespace presort::python {
namespace {

template <class Value>
void reduce_values(const Labels& labels, Reduce operation, const void* values, void* buckets) {
  const auto* from = static_cast<const Value*>(values);
  auto* to = static_cast<Value*>(buckets);
  return labels.bytes == 4 ? reduce_as<uint32_t>(labels, operation, from, to)
                           : reduce_as<uint64_t>(labels, operation, from, to);
}

}  // namespace

void reduce(const Labels& labels, Element element, Reduce operation, const void* values,
            void* buckets) {
  const bool compares = operation == Reduce::least || operation == Reduce::greatest;
  switch (element) {
    case Element::f32:
      return reduce_values<float>(labels, operation, values, buckets);
    case Element::f64:
      return reduce_values<double>(labels, operation, values, buckets);
    default:
      break;
  }
  // Whole numbers: sums and products with a sign have the bits of those without, in any order
  const Reduce whole = operation == Reduce::sumInOrder ? Reduce::sum : operation;
  switch (element) {
    case Element::i32:
      return compares ? reduce_values<int32_t>(labels, whole, values, buckets)
                      : reduce_values<uint32_t>(labels, whole, values, buckets);
    case Element::i64:
      return compares ? reduce_values<int64_t>(labels, whole, values, buckets)
                      : reduce_values<uint64_t>(labels, whole, values, buckets);
    case Element::u32:
      return reduce_values<uint32_t>(labels, whole, values, buckets);
    default:
      return reduce_values<uint64_t>(labels, whole, values, buckets);
  }
}

}  // namespace presort::python
