#include "presort/arrays/rows.h"

#include <cstdint>
#include <span>
#include <string>

#include "presort/arrays/typed/signed_labels.h"
#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/core/text/names.h"
#include "presort/cpu/gather_rows.h"
#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/multireduce_rows.h"
#include "presort/cpu/row_order.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::arrays {

namespace {

constexpr size_t kScratchAlignment = 64;  // alignment of each part of a scratch, bytes

void check_row_types(const Input& labels, const char* name, ScalarType type, const char* other,
                     ScalarType other_type) {
  if (size_bytes(labels.type) < 4 || labels.type == ScalarType::f32 ||
      labels.type == ScalarType::f64) {
    throw SpanError("labels: found elements of type " +
                    std::string(to_name(kScalarTypes, labels.type)) +
                    ", accepted: u32, u64, i32, i64");
  }
  if (size_bytes(type) < 4 || type != other_type) {
    throw SpanError(
        std::string(name) + ": found elements of type " + std::string(to_name(kScalarTypes, type)) +
        ", accepted: " + std::string(to_name(kScalarTypes, other_type)) + ", the type of " + other);
  }
}

// Calls call(labels as a span of unsigned integers, team of threads).
template <class Call>
void with_row_labels(const Input& labels, const CallOptions& options, const Call& call) {
  cpu::ThreadTeam one(1);
  cpu::ThreadTeam& threads = options.threads != nullptr ? *options.threads : one;
  try {
    if (size_bytes(labels.type) == 4) {
      call(std::span(static_cast<const uint32_t*>(labels.data), labels.length), threads);
    } else {
      call(std::span(static_cast<const uint64_t*>(labels.data), labels.length), threads);
    }
  } catch (const LabelError& error) {
    throw_with_sign(labels.type, error);
  }
}

template <class Value>
void add_typed(const Input& labels, const Input& values, const Output& buckets, size_t m,
               size_t columns, const CallOptions& options) {
  with_row_labels(labels, options, [&](auto from, cpu::ThreadTeam& threads) {
    cpu::Scratch own;
    cpu::Scratch& scratch = options.scratch != nullptr ? *options.scratch : own;
    const size_t order_bytes = cpu::row_order_scratch_bytes(from.size(), m, threads.size());
    const size_t first =
        (order_bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
    const size_t second =
        cpu::multireduce_rows_scratch_bytes<Value>(from.size(), columns, threads.size());
    const std::span<std::byte> memory = scratch.reserve(first + second, PageSize::k2MiB);
    const cpu::RowOrder order =
        cpu::row_order(from, m, memory.first(order_bytes), threads, options.checks);
    cpu::multireduce_rows(order, std::span(static_cast<const Value*>(values.data), values.length),
                          std::span(static_cast<Value*>(buckets.data), buckets.length), columns,
                          Sum<Value>{}, memory.subspan(first, second), threads);
  });
}

template <class Element>
void take_typed(const Input& labels, const Input& table, const Output& results, size_t m,
                size_t columns, const CallOptions& options) {
  with_row_labels(labels, options, [&](auto from, cpu::ThreadTeam& threads) {
    cpu::gather_rows(from, std::span(static_cast<const Element*>(table.data), table.length),
                     std::span(static_cast<Element*>(results.data), results.length), m, columns,
                     threads, options.checks);
  });
}

}  // namespace

void add_rows(const Input& labels, const Input& values, const Output& buckets, size_t m,
              size_t columns, const CallOptions& options) {
  check_row_types(labels, "values", values.type, "buckets", buckets.type);
  switch (buckets.type) {
    case ScalarType::f32:
      return add_typed<float>(labels, values, buckets, m, columns, options);
    case ScalarType::f64:
      return add_typed<double>(labels, values, buckets, m, columns, options);
    default:
      // Integers of either sign are added alike.
      return size_bytes(buckets.type) == 4
                 ? add_typed<uint32_t>(labels, values, buckets, m, columns, options)
                 : add_typed<uint64_t>(labels, values, buckets, m, columns, options);
  }
}

void take_rows(const Input& labels, const Input& table, const Output& results, size_t m,
               size_t columns, const CallOptions& options) {
  check_row_types(labels, "results", results.type, "table", table.type);
  return size_bytes(table.type) == 4
             ? take_typed<uint32_t>(labels, table, results, m, columns, options)
             : take_typed<uint64_t>(labels, table, results, m, columns, options);
}

}  // namespace presort::arrays
