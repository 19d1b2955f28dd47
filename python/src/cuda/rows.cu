#include "python/src/cuda/rows.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <span>

#include "presort/core/base/checked.h"
#include "presort/core/monoid.h"
#include "presort/gpu/check_labels.cuh"
#include "presort/gpu/gather_rows.cuh"
#include "presort/gpu/multireduce_rows.cuh"
#include "presort/gpu/row_order.cuh"
#include "presort/gpu/workspace.cuh"

namespace presort::python {
namespace {

// The elements of an array of rows.
template <class Value>
std::span<Value> elements(Value* rows, uint64_t count, uint64_t columns) {
  return {rows, saturating_multiply(count, columns)};
}

// The labels of a call as unsigned ones, checked if that is asked.
template <class Label>
std::span<const Label> labels_of(const Labels& labels) {
  const std::span all(static_cast<const Label*>(labels.data), labels.n);
  if (labels.checked) {
    const gpu::Workspace room(labels.stream, gpu::kCheckLabelsBytes, {});
    gpu::check_labels(labels.stream, all, labels.m, room.span());
  }
  return all;
}

template <class Value>
void reduce_rows(const Labels& labels, const gpu::RowOrder& order, const void* rows,
                 uint64_t columns, void* buckets, std::span<std::byte> scratch) {
  gpu::multireduce_rows(labels.stream, order,
                        elements(static_cast<const Value*>(rows), labels.n, columns),
                        elements(static_cast<Value*>(buckets), labels.m, columns), columns,
                        Sum<gpu::RowSum<Value>>{}, scratch);
}

template <class Label, class Value>
void add_as(const Labels& labels, const void* rows, uint64_t columns, void* buckets) {
  // One piece of scratch for both steps: the order, then its reduction. Sizes are multiples of a line.
  const size_t order_bytes = gpu::row_order_scratch_bytes<Label>(labels.n, labels.m);
  const size_t sums_bytes = gpu::multireduce_rows_scratch_bytes<Value>(labels.n, columns);
  const std::span<const Label> by = labels_of<Label>(labels);
  if (labels.n == 0) {
    return;
  }
  const gpu::Workspace room(labels.stream, saturating_add(order_bytes, sums_bytes), {});
  const gpu::RowOrder order =
      gpu::row_order(labels.stream, by, labels.m, room.span().first(order_bytes));
  reduce_rows<Value>(labels, order, rows, columns, buckets, room.span().subspan(order_bytes));
}

template <class Label>
void add_by(const Labels& labels, Element element, const void* rows, uint64_t columns,
            void* buckets) {
  switch (element) {
    case Element::u32:
    case Element::i32:
      return add_as<Label, uint32_t>(labels, rows, columns, buckets);
    case Element::u64:
    case Element::i64:
      return add_as<Label, uint64_t>(labels, rows, columns, buckets);
    case Element::f32:
      return add_as<Label, float>(labels, rows, columns, buckets);
    case Element::f64:
      return add_as<Label, double>(labels, rows, columns, buckets);
    case Element::f16:
      return add_as<Label, __half>(labels, rows, columns, buckets);
    case Element::bf16:
      return add_as<Label, __nv_bfloat16>(labels, rows, columns, buckets);
  }
}

template <class Label, class Word>
void take_as(const Labels& labels, const void* buckets, uint64_t columns, void* rows) {
  gpu::gather_rows(labels.stream, labels_of<Label>(labels),
                   elements(static_cast<const Word*>(buckets), labels.m, columns),
                   elements(static_cast<Word*>(rows), labels.n, columns), labels.m, columns);
}

template <class Label>
void take_by(const Labels& labels, int element_bytes, const void* buckets, uint64_t columns,
             void* rows) {
  switch (element_bytes) {
    case 2:
      return take_as<Label, uint16_t>(labels, buckets, columns, rows);
    case 4:
      return take_as<Label, uint32_t>(labels, buckets, columns, rows);
    default:
      return take_as<Label, uint64_t>(labels, buckets, columns, rows);
  }
}

}  // namespace

void add_rows(const Labels& labels, Element element, const void* rows, uint64_t columns,
              void* buckets) {
  return labels.bytes == 4 ? add_by<uint32_t>(labels, element, rows, columns, buckets)
                           : add_by<uint64_t>(labels, element, rows, columns, buckets);
}

void take_rows(const Labels& labels, int element_bytes, const void* buckets, uint64_t columns,
               void* rows) {
  return labels.bytes == 4 ? take_by<uint32_t>(labels, element_bytes, buckets, columns, rows)
                           : take_by<uint64_t>(labels, element_bytes, buckets, columns, rows);
}

}  // namespace presort::python
