#include "tests/gpu/ordered/segments/segments_oracle.h"

#include <span>

#include "presort/cpu/segmented.h"

namespace presort::inline v0::gpu::test {
namespace {

// Calls call(monoid) with the monoid that has the given name.
template <class Value, class Call>
void with_operator(Operator op, const Call& call) {
  switch (op) {
    case Operator::sum:
      return call(Sum<Value>{});
    case Operator::min:
      return call(Min<Value>{});
    case Operator::max:
      return call(Max<Value>{});
  }
}

template <class T>
std::span<const T> view(const std::vector<T>& vector) {
  return vector;
}

}  // namespace

template <class Value>
auto SegmentsOracle<Value>::segmented_reduce(const Values& values, const Offsets& offsets,
                                             Operator op) -> Values {
  Values results(offsets.size() - 1);
  with_operator<Value>(op, [&](const auto& monoid) {
    cpu::segmented_reduce(view(values), view(offsets), std::span(results), monoid);
  });
  return results;
}

template <class Value>
auto SegmentsOracle<Value>::segmented_scan(Scan scan, const Values& values, const Offsets& offsets,
                                           Values results, Operator op) -> Values {
  with_operator<Value>(op, [&](const auto& monoid) {
    if (scan == Scan::inclusive) {
      cpu::segmented_scan<cpu::Scan::inclusive>(view(values), view(offsets), std::span(results),
                                                monoid);
    } else {
      cpu::segmented_scan<cpu::Scan::exclusive>(view(values), view(offsets), std::span(results),
                                                monoid);
    }
  });
  return results;
}

template <class Value>
auto SegmentsOracle<Value>::flagged_scan(Scan scan, const Values& values,
                                         const std::vector<uint8_t>& heads, Operator op) -> Values {
  Values results(values.size());
  with_operator<Value>(op, [&](const auto& monoid) {
    if (scan == Scan::inclusive) {
      cpu::flagged_scan<cpu::Scan::inclusive>(view(values), view(heads), std::span(results),
                                              monoid);
    } else {
      cpu::flagged_scan<cpu::Scan::exclusive>(view(values), view(heads), std::span(results),
                                              monoid);
    }
  });
  return results;
}

template struct SegmentsOracle<uint32_t>;
template struct SegmentsOracle<uint64_t>;
template struct SegmentsOracle<float>;
template struct SegmentsOracle<double>;

}  // namespace presort::gpu::test
