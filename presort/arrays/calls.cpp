#include "presort/arrays/calls.h"

#include <string>

#include "presort/arrays/typed/typed_calls.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::arrays {

namespace {

std::string name_of(ScalarType type) {
  return to_name(kScalarTypes, type);
}

bool is_float(ScalarType type) {
  return type == ScalarType::f32 || type == ScalarType::f64;
}

bool has_four_or_eight_bytes(ScalarType type) {
  return size_bytes(type) >= 4;
}

void check_values(const char* name, ScalarType type) {
  if (!has_four_or_eight_bytes(type)) {
    throw SpanError(std::string(name) + ": found elements of type " + name_of(type) +
                    ", accepted: u32, u64, i32, i64, f32, f64");
  }
}

// Refuses arrays of labels or counts whose type is no integer of 4 or 8 bytes. Errors: SpanError
void check_integers(const char* name, ScalarType type) {
  if (!has_four_or_eight_bytes(type) || is_float(type)) {
    throw SpanError(std::string(name) + ": found elements of type " + name_of(type) +
                    ", accepted: u32, u64, i32, i64");
  }
}

void check_same(const char* name, ScalarType type, const char* other, ScalarType other_type) {
  if (type != other_type) {
    throw SpanError(std::string(name) + ": found elements of type " + name_of(type) +
                    ", accepted: " + name_of(other_type) + ", the type of " + other);
  }
}

// Calls call.template operator()<Value>() with Value u32 or u64, for types of 4 or 8 bytes.
template <class Call>
PlanChoice by_size(ScalarType type, const Call& call) {
  return size_bytes(type) == 4 ? call.template operator()<uint32_t>()
                               : call.template operator()<uint64_t>();
}

// Calls call.template operator()<Value>() with Value u32, u64, f32 or f64: integers of either sign
// are added and multiplied alike.
template <class Call>
PlanChoice by_arithmetic(ScalarType type, const Call& call) {
  switch (type) {
    case ScalarType::f32:
      return call.template operator()<float>();
    case ScalarType::f64:
      return call.template operator()<double>();
    default:
      return by_size(type, call);
  }
}

// Calls call.template operator()<Value>() with Value the array's own type, for operations that compare
// values.
template <class Call>
PlanChoice by_order(ScalarType type, const Call& call) {
  switch (type) {
    case ScalarType::i32:
      return call.template operator()<int32_t>();
    case ScalarType::i64:
      return call.template operator()<int64_t>();
    default:
      return by_arithmetic(type, call);
  }
}

bool is_arithmetic(Operator op) {
  return op == Operator::sum || op == Operator::product;
}

}  // namespace

PlanChoice multireduce(const Input& labels, const Input& values, const Output& buckets, Operator op,
                       const PlanSource& source, const CallOptions& options) {
  check_integers("labels", labels.type);
  check_values("buckets", buckets.type);
  check_same("values", values.type, "buckets", buckets.type);
  const Reduction call{labels, values, buckets, op, source, options};
  if (is_arithmetic(op)) {
    return by_arithmetic(buckets.type,
                         [&]<class Value>() { return multireduce_arithmetic<Value>(call); });
  }
  return by_order(buckets.type, [&]<class Value>() { return multireduce_ordered<Value>(call); });
}

PlanChoice scatter(const Input& labels, const Input& values, const Output& buckets,
                   const PlanSource& source, const CallOptions& options) {
  check_integers("labels", labels.type);
  check_values("buckets", buckets.type);
  check_same("values", values.type, "buckets", buckets.type);
  return by_size(buckets.type, [&]<class Value>() {
    return scatter_moved<Value>(labels, values, buckets, source, options);
  });
}

PlanChoice gather(const Input& labels, const Input& table, const Output& results,
                  const PlanSource& source, const CallOptions& options) {
  check_integers("labels", labels.type);
  check_values("table", table.type);
  check_same("results", results.type, "table", table.type);
  return by_size(table.type, [&]<class Value>() {
    return gather_moved<Value>(labels, table, results, source, options);
  });
}

PlanChoice histogram(const Input& labels, const Output& counts, const PlanSource& source,
                     const CallOptions& options) {
  check_integers("labels", labels.type);
  check_integers("counts", counts.type);
  return by_size(counts.type, [&]<class Count>() {
    return histogram_counts<Count>(labels, counts, source, options);
  });
}

PlanChoice multiscan(Scan scan, const Input& labels, const Input& values, const Output& buckets,
                     const Output& results, const PlanSource& source, const CallOptions& options) {
  check_integers("labels", labels.type);
  check_values("buckets", buckets.type);
  check_same("values", values.type, "buckets", buckets.type);
  check_same("results", results.type, "buckets", buckets.type);
  const Reduction call{labels, values, buckets, Operator::sum, source, options};
  return by_arithmetic(buckets.type,
                       [&]<class Value>() { return multiscan_sums<Value>(scan, call, results); });
}

PlanChoice multitag(const Input& labels, const Output& counts, const Output& results,
                    const PlanSource& source, const CallOptions& options) {
  check_integers("labels", labels.type);
  check_integers("counts", counts.type);
  check_same("results", results.type, "counts", counts.type);
  return by_size(counts.type, [&]<class Count>() {
    return multitag_counts<Count>(labels, counts, results, source, options);
  });
}

PlanChoice partial_sort(const Input& labels, const Input& values, size_t m,
                        const Output& sorted_labels, const Output& sorted_values,
                        const Output& part_starts, int sort_bits, const CallOptions& options) {
  check_integers("labels", labels.type);
  check_values("values", values.type);
  check_same("sorted_labels", sorted_labels.type, "labels", labels.type);
  check_same("sorted_values", sorted_values.type, "values", values.type);
  check_same("part_starts", part_starts.type, "64-bit positions", ScalarType::u64);
  return by_size(values.type, [&]<class Value>() {
    return partial_sort_moved<Value>(labels, values, m, sorted_labels, sorted_values, part_starts,
                                     sort_bits, options);
  });
}

}  // namespace presort::arrays
