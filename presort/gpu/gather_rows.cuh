// Reads rows on a GPU: results[i][d] = table[labels[i]][d]. The forward pass of an embedding, whose
// backward pass is multireduce_rows.
// Shapes:   labels[n] of 4 or 8 bytes, table[m][columns], results[n][columns]; all in device memory
// Requires: labels[i] < m; no overlap; values are trivially copyable, of 2, 4, 8 or 16 bytes
// Errors:   PlanError when columns is 0 or above 4096, lengths do not fit, or m is more than labels
//           can name; SpanError when an array is misaligned for its type, or results overlap
//           another; before anything is launched. EnvironmentError with CUDA's own words when a
//           launch is refused
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits
#pragma once

#include <span>
#include <type_traits>

#include "presort/gpu/device/copy_rows.cuh"
#include "presort/gpu/host/check_arrays.h"
#include "presort/gpu/multireduce_rows.cuh"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

template <class Label, class Value>
void gather_rows(cudaStream_t stream, std::span<const Label> labels, std::span<const Value> table,
                 std::span<Value> results, uint64_t m, uint64_t columns) {
  static_assert(std::is_unsigned_v<Label> && sizeof(Label) >= 4);
  static_assert(std::is_trivially_copyable_v<Value>);
  static_assert(sizeof(Value) == 2 || sizeof(Value) == 4 || sizeof(Value) == 8 ||
                sizeof(Value) == 16);
  check_columns(columns);
  check_lengths("table", table.size(), "m, times columns", saturating_multiply(m, columns));
  check_lengths("results", results.size(), "labels, times columns",
                saturating_multiply(labels.size(), columns));
  check_labels_reach(m, sizeof(Label));
  check_arrays({placed_array("labels", labels), placed_array("table", table),
                placed_array("results", results)});
  if (!labels.empty()) {
    copy_rows(stream, labels.data(), labels.size(), table.data(), results.data(),
              columns * sizeof(Value));
  }
}

}  // namespace presort::gpu
