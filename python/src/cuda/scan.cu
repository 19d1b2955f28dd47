#include "python/src/cuda/scan.cuh"

namespace presort::python {
namespace {

template <class Value>
void scan_values(const Labels& labels, bool inclusive, const void* values, void* buckets,
                 void* results) {
  const auto* from = static_cast<const Value*>(values);
  auto* sums = static_cast<Value*>(buckets);
  auto* to = static_cast<Value*>(results);
  return labels.bytes == 4 ? scan_as<uint32_t>(labels, inclusive, from, sums, to)
                           : scan_as<uint64_t>(labels, inclusive, from, sums, to);
}

}  // namespace

void scan(const Labels& labels, Element element, bool inclusive, const void* values, void* buckets,
          void* results) {
  switch (element) {
    case Element::f32:
      return scan_values<float>(labels, inclusive, values, buckets, results);
    case Element::f64:
      return scan_values<double>(labels, inclusive, values, buckets, results);
    case Element::u32:
    case Element::i32:  // sums of numbers with a sign have the bits of those without
      return scan_values<uint32_t>(labels, inclusive, values, buckets, results);
    default:
      return scan_values<uint64_t>(labels, inclusive, values, buckets, results);
  }
}

}  // namespace presort::python
