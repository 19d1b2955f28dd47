// The order of rows by their labels, stable: what multireduce_rows needs to know of the labels. It can
// be kept as long as they stay, for all layers and epochs that use them.
// Shapes:   labels[n], of 4 or 8 bytes; scratch[row_order_scratch_bytes(n, m, threads)]
// Returns:  the places of the n inputs, inside the scratch, which is kept as long as the order
// Units:    n, m in elements; scratch in bytes, aligned to 64
// Requires: labels[i] < m, checked with Checks::on
// Errors:   PlanError when n or m is 2^32 - 1 or more, or the scratch is too small or misaligned;
//           SpanError when an array is misaligned, or the scratch overlaps the labels; with Checks::on
//           LabelError with the first label that is not below m; all before anything is written.
//           Nothing is allocated
// Threads:  those of `threads`; the order does not depend on their number
// Passes:   from the lowest digit to the highest, of up to 11 bits each: two for 2^20 buckets. (A
//           buffered pre-sort by all bits, cpu/partial_sort.h, has tables of 2^bits parts.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "presort/core/base/carver.h"
#include "presort/core/error.h"
#include "presort/core/problem.h"
#include "presort/core/row_chunks.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/check_labels.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/shares.h"

namespace presort::inline v0::cpu {

struct RowOrder {
  std::span<const RowPlace> places;  // places[n]: label and position of each input, sorted by both
  uint64_t m = 0;                    // number of rows of buckets
};

inline constexpr int kMostRowDigitBits = 11;

// The passes of a sort of labels below m: their number, and the bits of each pass.
struct RowPasses {
  int count;
  int bits;

  explicit RowPasses(uint64_t m) {
    const int all = std::max(1, label_bits(m));
    count = (all + kMostRowDigitBits - 1) / kMostRowDigitBits;
    bits = (all + count - 1) / count;
  }
  size_t digits() const { return size_t{1} << bits; }
};

// Checks the sizes of a row order. Errors: PlanError when there are too many inputs or buckets
inline void check_row_sizes(uint64_t n, uint64_t m) {
  const auto check = [](const char* name, uint64_t found) {
    if (found >= kMostRowInputs) {
      throw PlanError(std::string(name) + ": found " + std::to_string(found) +
                      ", accepted: fewer than 2^32 - 1");
    }
  };
  check("n", n);
  check("m", m);
}

// The scratch arrays of row_order.
struct RowOrderArrays {
  RowPlace* outputs[2];  // outputs of passes, by turns; a single pass has only the first
  uint32_t* places;      // places[threads · digits]: where a thread puts the next input of a digit

  static RowOrderArrays take(Carver& carver, uint64_t n, const RowPasses& passes, size_t threads) {
    RowPlace* first = carver.take<RowPlace>(n);
    RowPlace* second = carver.take<RowPlace>(passes.count > 1 ? n : 0);
    return {{first, second}, carver.take<uint32_t>(saturating_multiply(threads, passes.digits()))};
  }
};

// Bytes of scratch that row_order needs for n inputs, m buckets and a team of `threads` threads. Errors:
// PlanError
inline size_t row_order_scratch_bytes(uint64_t n, uint64_t m, size_t threads) {
  check_row_sizes(n, m);
  Carver carver;
  RowOrderArrays::take(carver, n, RowPasses(m), threads);
  return carver.used_bytes();
}

// One pass of the sort: moves input i, which is place_of(i), to where its digit belongs. Shapes:
// places[threads · digits], which is overwritten
template <class PlaceOf>
void run_row_pass(uint64_t n, const PlaceOf& place_of, RowPlace* to, uint32_t* places, int shift,
                  int bits, ThreadTeam& threads) {
  const size_t digits = size_t{1} << bits;
  const auto digit = [=](uint32_t label) { return label >> shift & (digits - 1); };
  threads.run([&](size_t t) {
    const Share own = share_of(n, t, threads.size());
    uint32_t* counts = places + t * digits;
    std::fill_n(counts, digits, 0u);
    for (size_t i = own.first; i < own.last; ++i) {
      ++counts[digit(place_of(i).label)];
    }
  });
  uint32_t before = 0;
  for (size_t d = 0; d < digits; ++d) {
    for (size_t t = 0; t < threads.size(); ++t) {
      before += std::exchange(places[t * digits + d], before);
    }
  }
  threads.run([&](size_t t) {
    const Share own = share_of(n, t, threads.size());
    uint32_t* next = places + t * digits;
    for (size_t i = own.first; i < own.last; ++i) {
      const RowPlace place = place_of(i);
      to[next[digit(place.label)]++] = place;
    }
  });
}

template <class Label>
RowOrder row_order(std::span<const Label> labels, uint64_t m, std::span<std::byte> scratch,
                   ThreadTeam& threads, Checks checks = Checks::off) {
  static_assert(std::is_unsigned_v<Label> && sizeof(Label) >= 4);
  const uint64_t n = labels.size();
  check_scratch(scratch, row_order_scratch_bytes(n, m, threads.size()));
  check_spans({placed("labels", labels), placed("scratch", scratch)});
  check_labels_if(checks, labels, m, threads);
  const RowPasses passes(m);
  Carver carver(scratch.data());
  const auto arrays = RowOrderArrays::take(carver, n, passes, threads.size());
  const auto of_labels = [&](size_t i) {
    return RowPlace{static_cast<uint32_t>(labels[i]), static_cast<uint32_t>(i)};
  };
  run_row_pass(n, of_labels, arrays.outputs[0], arrays.places, 0, passes.bits, threads);
  for (int pass = 1; pass < passes.count; ++pass) {
    const RowPlace* from = arrays.outputs[(pass - 1) % 2];
    run_row_pass(
        n, [=](size_t i) { return from[i]; }, arrays.outputs[pass % 2], arrays.places,
        pass * passes.bits, passes.bits, threads);
  }
  return {{arrays.outputs[(passes.count - 1) % 2], n}, m};
}

}  // namespace presort::cpu
