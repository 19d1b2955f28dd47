// Reduces rows into rows of buckets: buckets[k][d] = buckets[k][d] ⊙ (v[j][d] for every j with
// labels[j] == k), where v is `values`, or values · weights: the backward pass of an embedding, the
// scatter of a graph network, the weighted sum of experts.
//   const RowOrder order = row_order(labels, m, order_scratch, threads);  // kept with the labels
//   multireduce_rows(order, values, buckets, columns, Sum<float>{}, scratch, threads);
// Shapes:   values[n][columns], buckets[m][columns], weights[n] or empty; of RowOrder: n, m;
//           scratch[multireduce_rows_scratch_bytes<Value>(n, columns, threads)]
// Units:    n, m, columns in elements; scratch in bytes, aligned to 64
// Requires: the order is of the labels of these values; Value is a number; with weights a float
// Errors:   PlanError when columns is 0 or above 4096, lengths do not fit the order, or the scratch is
//           too small or misaligned; SpanError when an array is misaligned, or one that is written
//           overlaps another; all before anything is written. Nothing is allocated
// Threads:  those of `threads`; the results do not depend on their number
// Order:    that of the inputs: ⊙ need not commute. What is grouped depends on n, columns, the size of
//           Value and the labels (core/row_chunks.h): sums that round have the same bits in every run,
//           and those of gpu::multireduce_rows
// Buckets:  only rows with inputs are read and written
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "presort/core/base/carver.h"
#include "presort/core/base/prefetch.h"
#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/core/row_chunks.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/row_order.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

// The arguments of one level of a reduction of rows: the rows to reduce (inputs, or the list of open runs
// of the level before), and where the sums go.
template <class Value>
struct RowPass {
  std::span<const RowPlace> places;
  const Value* rows;
  const float* weights;  // weights of the inputs, or null
  Value* buckets;
  RowPlace* slots;  // slots[2 · chunks]: the list of open runs; null with one chunk
  Value* slot_rows;
  size_t columns;
  RowChunks chunks;
  bool is_list;
};

// Reduces chunks of rows on one thread, one chunk after another. Shapes: sum[columns], product[columns]
template <class Value, class M>
class RowChunkReduction {
 public:
  RowChunkReduction(const RowPass<Value>& pass, const M& monoid, Value* sum, Value* product)
      : pass_(pass), monoid_(monoid), sum_(sum), product_(product) {}

  void run(size_t chunk) {
    const size_t n = pass_.places.size();
    const size_t begin = chunk * pass_.chunks.inputs;
    const size_t end = std::min<size_t>(n, begin + pass_.chunks.inputs);
    const Border left = border(begin);
    const Border right = border(end);
    bool is_carried = left.cuts_run;
    bool is_filled[2] = {false, false};
    for (size_t first = left.at; first < right.at;) {
      const size_t last = run_end(first, right.at);
      const bool has_rows = fold_run(first, last);
      const bool is_cut = last == right.at && right.cuts_run;
      if (has_rows && (is_carried || is_cut)) {
        const int which = is_carried ? 0 : 1;
        is_filled[which] = true;
        std::copy_n(sum_, pass_.columns, pass_.slot_rows + (2 * chunk + which) * pass_.columns);
      } else if (has_rows) {
        fold(pass_.buckets + pass_.places[first].label * pass_.columns, sum_);
      }
      is_carried = false;
      first = last;
    }
    if (pass_.slots != nullptr) {
      const auto slot = static_cast<uint32_t>(2 * chunk);
      pass_.slots[slot] = {pass_.places[begin].label, is_filled[0] ? slot : kNoRow};
      pass_.slots[slot + 1] = {pass_.places[end - 1].label, is_filled[1] ? slot + 1 : kNoRow};
    }
  }

 private:
  struct Border {
    size_t at;
    bool cuts_run;
  };

  // The border between two chunks near input `at`. It moves on to the end of the run of equal labels
  // there, if the end is near enough; otherwise it cuts the run.
  Border border(size_t at) const {
    const std::span<const RowPlace> places = pass_.places;
    if (at == 0 || at == places.size()) {
      return {at, false};
    }
    const uint32_t label = places[at - 1].label;
    const size_t farthest = std::min<size_t>(places.size(), at + pass_.chunks.reach);
    for (size_t moved = at; moved <= farthest; ++moved) {
      if (moved == places.size() || places[moved].label != label) {
        return {moved, false};
      }
    }
    return {at, true};
  }

  size_t run_end(size_t first, size_t last) const {
    const uint32_t label = pass_.places[first].label;
    while (first < last && pass_.places[first].label == label) {
      ++first;
    }
    return first;
  }

  // Sets sum to ⊙ of the rows of a run of equal labels. False: the run has no rows
  bool fold_run(size_t first, size_t last) {
    bool has_rows = false;
    for (size_t i = first; i < last; ++i) {
      fetch(i + kRowsAhead);
      const uint32_t position = pass_.places[i].position;
      if (pass_.is_list && position == kNoRow) {
        continue;
      }
      if (!has_rows) {
        std::fill_n(sum_, pass_.columns, static_cast<Value>(monoid_.identity()));
        has_rows = true;
      }
      fold(sum_, row(position));
    }
    return has_rows;
  }

  // The row of values at a position, times its weight if rows have weights.
  const Value* row(uint32_t position) {
    const Value* values = pass_.rows + position * pass_.columns;
    if constexpr (std::is_floating_point_v<Value>) {
      if (pass_.weights != nullptr) {
        const auto weight = static_cast<Value>(pass_.weights[position]);
        for (size_t d = 0; d < pass_.columns; ++d) {
          product_[d] = values[d] * weight;
        }
        // Keeps the compiler from fusing a product with the sum that follows, which would round once
        // instead of twice.
        asm volatile("" ::: "memory");
        return product_;
      }
    }
    return values;
  }

  // Combines a row with a sum, column by column: to = to ⊙ row.
  void fold(Value* __restrict to, const Value* __restrict row) const {
    for (size_t d = 0; d < pass_.columns; ++d) {
      to[d] = monoid_(to[d], row[d]);
    }
  }

  // Prefetches the first cache lines of an input's row; hardware fetches the lines that follow.
  void fetch(size_t i) const {
    constexpr size_t kMostLines = 4;
    if (i >= pass_.places.size() || pass_.places[i].position == kNoRow) {
      return;
    }
    const auto* bytes =
        reinterpret_cast<const std::byte*>(pass_.rows + pass_.places[i].position * pass_.columns);
    const size_t count = std::min(pass_.columns * sizeof(Value), kMostLines * kLineBytes);
    for (size_t at = 0; at < count; at += kLineBytes) {
      prefetch_to_read(bytes + at);
    }
  }

  static constexpr size_t kRowsAhead = 12;

  const RowPass<Value>& pass_;
  const M& monoid_;
  Value* sum_;
  Value* product_;
};

// The scratch arrays of a reduction of rows.
template <class Value>
struct RowArrays {
  struct List {
    RowPlace* slots = nullptr;
    Value* rows = nullptr;
  };
  RowLevels levels;
  List lists[RowLevels::kMost];
  size_t room = 0;        // number of elements of scratch rows for each thread
  Value* rows = nullptr;  // rows[threads][2][room / 2]: each thread's sum and product

  static RowArrays take(Carver& carver, uint64_t n, uint64_t columns, size_t threads) {
    RowArrays arrays;
    arrays.levels = row_levels(n, columns, sizeof(Value), sizeof(Value));
    for (int i = 0; i < arrays.levels.count; ++i) {
      const uint64_t slots = arrays.levels.levels[i].slots();
      arrays.lists[i].slots = carver.take<RowPlace>(slots);
      arrays.lists[i].rows = carver.take<Value>(saturating_multiply(slots, columns));
    }
    arrays.room = 2 * saturating_round_up(columns, kLineBytes / sizeof(Value));
    arrays.rows = carver.take<Value>(saturating_multiply(threads, arrays.room));
    return arrays;
  }
};

// Checks the number of columns of rows. Errors: PlanError when it is 0 or more than the kernels take
inline void check_columns(uint64_t columns) {
  if (columns == 0 || columns > kMostRowColumns) {
    throw PlanError("columns: found " + std::to_string(columns) + ", accepted: 1 to " +
                    std::to_string(kMostRowColumns));
  }
}

// Bytes of scratch that multireduce_rows needs for n rows of values and a team of `threads` threads.
// Errors: PlanError
template <class Value>
size_t multireduce_rows_scratch_bytes(uint64_t n, uint64_t columns, size_t threads) {
  check_row_sizes(n, 0);
  check_columns(columns);
  Carver carver;
  RowArrays<Value>::take(carver, n, columns, threads);
  return carver.used_bytes();
}

// Reduces all chunks of one level of a reduction of rows; each thread takes several chunks at a time.
template <class Value, class M>
void reduce_rows(const RowPass<Value>& pass, const M& monoid, const RowArrays<Value>& arrays,
                 ThreadTeam& threads) {
  constexpr size_t kPiecesOfThread = 8;
  const size_t chunks = pass.chunks.count(pass.places.size());
  const size_t pieces = std::min(chunks, kPiecesOfThread * threads.size());
  std::atomic<size_t> next{0};
  threads.run([&](size_t t) {
    Value* rows = arrays.rows + t * arrays.room;
    RowChunkReduction<Value, M> reduction(pass, monoid, rows, rows + arrays.room / 2);
    for (size_t piece = next++; piece < pieces; piece = next++) {
      const Share own = share_of(chunks, piece, pieces);
      for (size_t chunk = own.first; chunk < own.last; ++chunk) {
        reduction.run(chunk);
      }
    }
  });
}

template <class Value, Monoid<Value> M>
void multireduce_rows(const RowOrder& order, std::span<const Value> values,
                      std::span<Value> buckets, uint64_t columns, const M& monoid,
                      std::span<std::byte> scratch, ThreadTeam& threads,
                      std::span<const float> weights = {}) {
  static_assert(std::is_arithmetic_v<Value> && sizeof(Value) <= kRowLaneBytes);
  const uint64_t n = order.places.size();
  check_columns(columns);
  check_lengths("values", values.size(), "inputs of the order, times columns,",
                saturating_multiply(n, columns));
  check_lengths("buckets", buckets.size(), "rows of the order, times columns,",
                saturating_multiply(order.m, columns));
  if (!weights.empty()) {
    check_lengths("weights", weights.size(), "inputs of the order", n);
    if (!std::is_floating_point_v<Value>) {
      throw PlanError("weights: found some, accepted: none with values that are whole numbers");
    }
  }
  check_scratch(scratch, multireduce_rows_scratch_bytes<Value>(n, columns, threads.size()));
  check_spans({placed("order", order.places), placed("values", values), placed("weights", weights),
               placed("buckets", buckets), placed("scratch", scratch)});
  Carver carver(scratch.data());
  const auto arrays = RowArrays<Value>::take(carver, n, columns, threads.size());
  RowPass<Value> pass{.places = order.places,
                      .rows = values.data(),
                      .weights = weights.empty() ? nullptr : weights.data(),
                      .buckets = buckets.data(),
                      .slots = nullptr,
                      .slot_rows = nullptr,
                      .columns = columns,
                      .chunks = {},
                      .is_list = false};
  for (int i = 0; i < arrays.levels.count; ++i) {
    const RowLevel& level = arrays.levels.levels[i];
    const auto& list = arrays.lists[i];
    pass.slots = level.slots() > 0 ? list.slots : nullptr;
    pass.slot_rows = list.rows;
    pass.chunks = level.chunks;
    reduce_rows(pass, monoid, arrays, threads);
    pass.places = {list.slots, level.slots()};
    pass.rows = list.rows;
    pass.weights = nullptr;
    pass.is_list = true;
  }
}

}  // namespace presort::cpu
