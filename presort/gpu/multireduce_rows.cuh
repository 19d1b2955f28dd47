// Reduces rows into rows of buckets on a GPU: buckets[k][d] = buckets[k][d] ⊙ (v[j][d] for every j
// with labels[j] == k), where v is `values`, or values · weights: the backward pass of an
// embedding, the scatter of a graph network, the weighted sum of experts.
//   const RowOrder order = row_order(stream, labels, m, order_scratch);  // kept as long as the labels
//   multireduce_rows(stream, order, values, buckets, columns, Sum<float>{}, scratch);
// Shapes:   values[n][columns], buckets[m][columns], weights[n] or empty; of RowOrder: n, m;
//           scratch[multireduce_rows_scratch_bytes<Value>(n, columns)]; all in device memory
// Types:    values of 2, 4 or 8 bytes; buckets of their type. 16-bit floats (__half, __nv_bfloat16)
//           are reduced as float, and buckets may be float; ⊙ is then a Monoid of float. Weights
//           are float; values with weights are floats of any size
// Units:    n, m, columns in elements; the scratch in bytes, aligned to 64
// Requires: the order is of the labels of these values; no overlap
// Errors:   PlanError when columns is 0 or above 4096, lengths do not fit the order, or the scratch
//           is too small or misaligned; SpanError when an array is misaligned for its type, or one
//           that is written overlaps another; before anything is launched. EnvironmentError with
//           CUDA's own words when a launch is refused
// Order:    that of the inputs: ⊙ need not commute. What is
//           grouped depends on n, columns, the types' sizes and the labels (core/row_chunks.h):
//           sums that round have the same bits in every run and on every device, and those of float
//           and double the bits of cpu::multireduce_rows
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits, so a graph can
//           capture it
// Buckets:  only rows with inputs are read and written
#pragma once

#include <array>
#include <span>
#include <string>

#include "presort/core/base/carver.h"
#include "presort/core/monoid.h"
#include "presort/core/row_chunks.h"
#include "presort/gpu/device/reduce_row_level.cuh"
#include "presort/gpu/host/check_arrays.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/row_order.cuh"

namespace presort::inline v0::gpu {

// Lists of open runs: each level of a row reduction leaves one, which the next level reduces.
template <class Sum>
struct RowLists {
  struct List {
    RowPlace* slots = nullptr;
    Sum* rows = nullptr;
  };
  RowLevels levels;
  std::array<List, RowLevels::kMost> lists;

  static RowLists take(Carver& carver, const RowLevels& levels, uint64_t columns) {
    RowLists all{levels, {}};
    for (int i = 0; i < levels.count; ++i) {
      if (const uint64_t slots = levels.levels[i].slots(); slots > 0) {
        List& list = all.lists[static_cast<size_t>(i)];
        list.slots = carver.take<RowPlace>(slots);
        list.rows = carver.take<Sum>(saturating_multiply(slots, columns));
      }
    }
    return all;
  }
};

// Checks the number of columns of rows. Errors: PlanError when it is 0 or more than the kernels
// take
inline void check_columns(uint64_t columns) {
  if (columns == 0 || columns > kMostRowColumns) {
    throw PlanError("columns: found " + std::to_string(columns) + ", accepted: 1 to " +
                    std::to_string(kMostRowColumns));
  }
}

// Bytes of scratch that multireduce_rows needs for n rows of values. Errors: PlanError
template <class Value>
size_t multireduce_rows_scratch_bytes(uint64_t n, uint64_t columns) {
  check_row_sizes(n, 0);
  check_columns(columns);
  using Sum = RowSum<Value>;
  Carver carver;
  RowLists<Sum>::take(carver, row_levels(n, columns, sizeof(Value), sizeof(Sum)), columns);
  return carver.used_bytes();
}

// Launches all levels of a row reduction. Requires: checked arguments; the levels of order and
// columns
template <bool kHasWeights, class Value, class Bucket, class M>
void reduce_rows(cudaStream_t stream, const RowOrder& order, const Value* values,
                 const float* weights, Bucket* buckets, uint64_t columns, const M& monoid,
                 const RowLevels& levels, std::span<std::byte> scratch) {
  using Sum = RowSum<Value>;
  Carver carver(scratch.data());
  const auto lists = RowLists<Sum>::take(carver, levels, columns).lists;
  for (int i = 0; i < levels.count; ++i) {
    const auto& to = lists[static_cast<size_t>(i)];
    const auto arguments_of = [&]<class In>(const RowPlace* places, const In* rows) {
      return RowArguments<In, Bucket>{.places = places,
                                      .rows = rows,
                                      .weights = weights,
                                      .buckets = buckets,
                                      .slots = to.slots,
                                      .slot_rows = to.rows,
                                      .n = levels.levels[i].inputs,
                                      .columns = static_cast<uint32_t>(columns),
                                      .slices = 1,
                                      .chunks = levels.levels[i].chunks,
                                      .lane_bits = 0};
    };
    if (i == 0) {
      reduce_level_of_rows<false, kHasWeights>(stream, arguments_of(order.places.data(), values),
                                               monoid);
    } else {
      const auto& from = lists[static_cast<size_t>(i - 1)];
      reduce_level_of_rows<true, false>(
          stream, arguments_of(from.slots, static_cast<const Sum*>(from.rows)), monoid);
    }
  }
}

template <class Value, class Bucket, class M>
void multireduce_rows(cudaStream_t stream, const RowOrder& order, std::span<const Value> values,
                      std::span<Bucket> buckets, uint64_t columns, const M& monoid,
                      std::span<std::byte> scratch, std::span<const float> weights = {}) {
  using Sum = RowSum<Value>;
  static_assert(sizeof(Value) == 2 || sizeof(Value) == 4 || sizeof(Value) == 8);
  static_assert(std::is_same_v<Bucket, Value> || std::is_same_v<Bucket, Sum>);
  static_assert(Monoid<M, Sum>);
  const uint64_t n = order.places.size();
  check_columns(columns);
  check_lengths("values", values.size(), "inputs of the order, times columns",
                saturating_multiply(n, columns));
  check_lengths("buckets", buckets.size(), "rows of the order, times columns",
                saturating_multiply(order.m, columns));
  check_scratch(scratch, multireduce_rows_scratch_bytes<Value>(n, columns));
  check_arrays({placed_array("order", order.places), placed_array("values", values),
                placed_array("weights", weights), placed_array("buckets", buckets),
                placed_array("scratch", scratch)});
  const RowLevels levels = row_levels(n, columns, sizeof(Value), sizeof(Sum));
  if (weights.empty()) {
    return reduce_rows<false>(stream, order, values.data(), nullptr, buckets.data(), columns,
                              monoid, levels, scratch);
  }
  check_lengths("weights", weights.size(), "inputs of the order", n);
  if constexpr (std::is_floating_point_v<Sum>) {
    reduce_rows<true>(stream, order, values.data(), weights.data(), buckets.data(), columns, monoid,
                      levels, scratch);
  } else {
    throw PlanError("weights: found some, accepted: none with values that are whole numbers");
  }
}

}  // namespace presort::gpu
