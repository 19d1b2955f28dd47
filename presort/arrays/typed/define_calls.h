// Definitions of the templates declared in typed_calls.h, for the sources that instantiate them.
#pragma once

#include <cstdint>
#include <span>

#include "presort/arrays/typed/signed_labels.h"
#include "presort/arrays/typed/typed_calls.h"
#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/cpu/choose.h"

namespace presort::inline v0::arrays {

template <class Element>
std::span<const Element> elements(const Input& array) {
  return {static_cast<const Element*>(array.data), array.length};
}

template <class Element>
std::span<Element> elements(const Output& array) {
  return {static_cast<Element*>(array.data), array.length};
}

// Calls call(labels as a span of unsigned integers).
template <class Call>
PlanChoice with_labels(const Input& labels, const Call& call) {
  try {
    return size_bytes(labels.type) == 4 ? call(elements<uint32_t>(labels))
                                        : call(elements<uint64_t>(labels));
  } catch (const LabelError& error) {
    throw_with_sign(labels.type, error);
  }
}

template <class Value, class M>
PlanChoice multireduce_by(const M& monoid, const Reduction& call) {
  return with_labels(call.labels, [&](auto labels) {
    return presort::multireduce(labels, elements<Value>(call.values), elements<Value>(call.buckets),
                                call.source, monoid, call.options);
  });
}

template <class Value>
PlanChoice multireduce_arithmetic(const Reduction& call) {
  return call.op == Operator::sum ? multireduce_by<Value>(Sum<Value>{}, call)
                                  : multireduce_by<Value>(Product<Value>{}, call);
}

template <class Value>
PlanChoice multiscan_sums(Scan scan, const Reduction& call, const Output& results) {
  return with_labels(call.labels, [&](auto labels) {
    const auto run = [&]<cpu::Scan kScan>() {
      return presort::multiscan<kScan>(labels, elements<Value>(call.values),
                                       elements<Value>(call.buckets), elements<Value>(results),
                                       call.source, Sum<Value>{}, call.options);
    };
    return scan == Scan::inclusive ? run.template operator()<cpu::Scan::inclusive>()
                                   : run.template operator()<cpu::Scan::exclusive>();
  });
}

template <class Value>
PlanChoice multireduce_ordered(const Reduction& call) {
  return call.op == Operator::least ? multireduce_by<Value>(Min<Value>{}, call)
                                    : multireduce_by<Value>(Max<Value>{}, call);
}

template <class Value>
PlanChoice scatter_moved(const Input& labels, const Input& values, const Output& buckets,
                         const PlanSource& source, const CallOptions& options) {
  return with_labels(labels, [&](auto from) {
    return presort::scatter(from, elements<Value>(values), elements<Value>(buckets), source,
                            options);
  });
}

template <class Value>
PlanChoice gather_moved(const Input& labels, const Input& table, const Output& results,
                        const PlanSource& source, const CallOptions& options) {
  return with_labels(labels, [&](auto from) {
    return presort::gather(from, elements<Value>(table), elements<Value>(results), source, options);
  });
}

template <class Value>
PlanChoice partial_sort_moved(const Input& labels, const Input& values, size_t m,
                              const Output& sorted_labels, const Output& sorted_values,
                              const Output& part_starts, int sort_bits,
                              const CallOptions& options) {
  return with_labels(labels, [&]<class Label>(std::span<const Label> from) {
    return presort::partial_sort(from, elements<Value>(values), m, elements<Label>(sorted_labels),
                                 elements<Value>(sorted_values), elements<size_t>(part_starts),
                                 sort_bits, options);
  });
}

template <class Count>
PlanChoice histogram_counts(const Input& labels, const Output& counts, const PlanSource& source,
                            const CallOptions& options) {
  return with_labels(labels, [&](auto from) {
    return presort::histogram(from, elements<Count>(counts), source, options);
  });
}

template <class Count>
PlanChoice multitag_counts(const Input& labels, const Output& counts, const Output& results,
                           const PlanSource& source, const CallOptions& options) {
  return with_labels(labels, [&](auto from) {
    return presort::multitag(from, elements<Count>(counts), elements<Count>(results), source,
                             options);
  });
}

#define PRESORT_ARITHMETIC_CALLS(Value)                                \
  template PlanChoice multireduce_arithmetic<Value>(const Reduction&); \
  template PlanChoice multiscan_sums<Value>(Scan, const Reduction&, const Output&);
#define PRESORT_ORDERED_CALLS(Value) \
  template PlanChoice multireduce_ordered<Value>(const Reduction&);
#define PRESORT_MOVING_CALLS(Value)                                                                \
  template PlanChoice scatter_moved<Value>(const Input&, const Input&, const Output&,              \
                                           const PlanSource&, const CallOptions&);                 \
  template PlanChoice gather_moved<Value>(const Input&, const Input&, const Output&,               \
                                          const PlanSource&, const CallOptions&);                  \
  template PlanChoice partial_sort_moved<Value>(const Input&, const Input&, size_t, const Output&, \
                                                const Output&, const Output&, int,                 \
                                                const CallOptions&);                               \
  template PlanChoice histogram_counts<Value>(const Input&, const Output&, const PlanSource&,      \
                                              const CallOptions&);                                 \
  template PlanChoice multitag_counts<Value>(const Input&, const Output&, const Output&,           \
                                             const PlanSource&, const CallOptions&);

}  // namespace presort::arrays
