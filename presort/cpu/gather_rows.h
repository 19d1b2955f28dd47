// Reads rows: results[i][d] = table[labels[i]][d]. The forward pass of an embedding, whose backward
// pass is multireduce_rows.
// Shapes:   labels[n] of 4 or 8 bytes, table[m][columns], results[n][columns]
// Requires: labels[i] < m, checked with Checks::on; Value is trivially copyable
// Errors:   PlanError when columns is 0 or above 4096, or lengths do not fit; SpanError when an array
//           is misaligned, or results overlap another; with Checks::on LabelError with the first label
//           that is not below m; all before anything is written. Nothing is allocated
// Threads:  those of `threads`; the results do not depend on their number
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "presort/cpu/multireduce_rows.h"

namespace presort::inline v0::cpu {

template <class Label, class Value>
void gather_rows(std::span<const Label> labels, std::span<const Value> table,
                 std::span<Value> results, uint64_t m, uint64_t columns, ThreadTeam& threads,
                 Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && std::is_trivially_copyable_v<Value>);
  check_columns(columns);
  check_lengths("table", table.size(), "m, times columns,", saturating_multiply(m, columns));
  check_lengths("results", results.size(), "labels, times columns,",
                saturating_multiply(labels.size(), columns));
  check_spans({placed("labels", labels), placed("table", table), placed("results", results)});
  check_labels_if(checks, labels, m, threads);
  constexpr size_t kRowsAhead = 12;
  threads.run([&](size_t t) {
    const Share own = share_of(labels.size(), t, threads.size());
    for (size_t i = own.first; i < own.last; ++i) {
      const size_t ahead = std::min(i + kRowsAhead, labels.size() - 1);
      __builtin_prefetch(table.data() + labels[ahead] * columns);
      std::memcpy(results.data() + i * columns, table.data() + labels[i] * columns,
                  columns * sizeof(Value));
    }
  });
}

}  // namespace presort::cpu
