// Reductions and scans of consecutive segments of an array.
//   segmented_reduce        results[s] = identity ⊙ the values from offsets[s] up to offsets[s + 1]
//   segmented_scan<kScan>   results[i] = identity ⊙ the values before i in its segment; inclusive:
//                           and values[i]. The values of no segment have no result
//   flagged_scan<kScan>     the same where a segment begins at 0 and wherever heads[i] is not 0
// Shapes:   values[n]; offsets[s + 1], results[s] of a reduction; heads[n]; results[n] of a scan
// Errors:   PlanError when lengths do not fit; SpanError when an array is misaligned, or one that
//           is written overlaps another; OffsetError with the first offset that is below the one
//           before it or above n; EnvironmentError when there is no memory for what the threads
//           keep; all before anything is written. Then what ⊙ throws, the results being in some
//           state between. Nothing that grows with n or s is allocated.
// Threads:  those of `threads`, or without one the caller's; the results do not depend on their
//           number
// Order:    left to right: ⊙ need not commute. One that does not associate (core/monoid.h: sums
//           that round) is applied one by one, each segment by one thread: a single long segment
//           then has but one. A segment without values is reduced to the identity
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/check_spans.h"
#include "presort/cpu/memory/allocated.h"
#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/segmented.h"
#include "presort/cpu/plan/phase_listener.h"
#include "presort/cpu/thread_team.h"
#include "presort/cpu/threads/segment_shares.h"

namespace presort::inline v0::cpu {

// Thrown for offsets that are not those of consecutive segments.
struct OffsetError : InputError {
  OffsetError(size_t at_index, uint64_t found, uint64_t least, uint64_t most)
      : InputError("offset " + std::to_string(found) + " at index " + std::to_string(at_index) +
                   ", accepted: " + std::to_string(least) + " to " + std::to_string(most)),
        index(at_index),
        offset(found) {}
  size_t index;
  uint64_t offset;
};

inline void check_offset_count(size_t offsets) {
  if (offsets == 0) {
    throw PlanError("offsets: found none, needed one more than there are segments");
  }
}

// Checks offsets [first, last). Errors: OffsetError for the first bad offset
template <class Offset>
void check_offset_order(std::span<const Offset> offsets, size_t first, size_t last, size_t n) {
  // When the type of the offsets cannot represent n, no offset is above n.
  const auto most = static_cast<Offset>(std::min<uint64_t>(n, std::numeric_limits<Offset>::max()));
  RawMemory memory;
  Offset least = first == 0 ? Offset{0} : offsets[first - 1];
  carries_out<phase::CheckOffsets, Offset>();
  const size_t wrong =
      CheckOffsets<RawMemory, Offset>{offsets.data(), most}.step(first, last, least, memory);
  if (wrong < last) {
    throw OffsetError(wrong, static_cast<uint64_t>(offsets[wrong]), static_cast<uint64_t>(least),
                      n);
  }
}

// Checks all offsets. Errors: OffsetError for the first bad offset; PlanError when there are no offsets
template <class Offset>
void check_offsets(std::span<const Offset> offsets, size_t n) {
  check_offset_count(offsets.size());
  check_offset_order(offsets, 0, offsets.size(), n);
}

template <class Offset>
void check_offsets(std::span<const Offset> offsets, size_t n, ThreadTeam& threads) {
  check_offset_count(offsets.size());
  threads.run([&](size_t t) {
    const Share own = share_of(offsets.size(), t, threads.size());
    check_offset_order(offsets, own.first, own.last, n);
  });
}

// Returns identity ⊙ values [first, last).
template <class Value, class M>
Value fold_values(std::span<const Value> values, size_t first, size_t last, const M& monoid) {
  RawMemory memory;
  Value sum = monoid.identity();
  FoldValues<RawMemory, Value, M>{values.data(), monoid}.step(first, last, sum, memory);
  return sum;
}

template <class Offset, class Value, Monoid<Value> M>
void segmented_reduce(std::span<const Value> values, std::span<const Offset> offsets,
                      std::span<Value> results, const M& monoid) {
  check_lengths("offsets", offsets.size(), "results, and one more,", results.size() + 1);
  check_spans({placed("values", values), placed("offsets", offsets), placed("results", results)});
  check_offsets(offsets, values.size());
  RawMemory memory;
  carries_out<phase::RunSegments, Offset>();
  ReduceSegments<RawMemory, Offset, Value, M>{offsets.data(), values.data(), results.data(), monoid}
      .step(0, results.size(), memory);
}

template <class Offset, class Value, Monoid<Value> M>
void segmented_reduce(std::span<const Value> values, std::span<const Offset> offsets,
                      std::span<Value> results, const M& monoid, ThreadTeam& threads) {
  check_lengths("offsets", offsets.size(), "results, and one more,", results.size() + 1);
  check_spans({placed("values", values), placed("offsets", offsets), placed("results", results)});
  check_offsets(offsets, values.size(), threads);
  const auto share = [&](size_t t) { return segment_share<M>(offsets, t, threads.size()); };
  // rests[t]: ⊙ of thread t's values in the segment that its share begins in
  auto rests = allocated<Value>(threads.size(), monoid.identity());
  auto tails = allocated<Tail<Value>>(threads.size(), {monoid.identity(), true});
  auto carries = allocated<Value>(threads.size(), monoid.identity());
  threads.run([&](size_t t) {
    const SegmentShare own = share(t);
    carries_out<phase::RunSegments, Offset>();
    if (own.is_inside_one()) {
      tails[t].fold = fold_values(values, own.first.value, own.last.value, monoid);
      return;
    }
    rests[t] = fold_values(values, own.first.value, offsets[own.first.segment + 1], monoid);
    RawMemory memory;
    ReduceSegments<RawMemory, Offset, Value, M>{offsets.data(), values.data(), results.data(),
                                                monoid}
        .step(own.first.segment + 1, own.last.segment, memory);
    tails[t] = {fold_values(values, offsets[own.last.segment], own.last.value, monoid), false};
  });
  find_carries(tails, monoid, carries);
  for (size_t t = 0; t < threads.size(); ++t) {
    const SegmentShare own = share(t);
    if (!own.is_inside_one()) {
      const bool whole = own.first.value == offsets[own.first.segment];
      results[own.first.segment] = whole ? rests[t] : monoid(carries[t], rests[t]);
    }
  }
}

template <Scan kScan, class Offset, class Value, Monoid<Value> M>
void segmented_scan(std::span<const Value> values, std::span<const Offset> offsets,
                    std::span<Value> results, const M& monoid) {
  check_lengths("values", values.size(), "results", results.size());
  check_spans({placed("values", values), placed("offsets", offsets), placed("results", results)});
  check_offsets(offsets, values.size());
  RawMemory memory;
  carries_out<phase::RunSegments, Offset>();
  ScanSegments<kScan, RawMemory, Offset, Value, M>{offsets.data(), values.data(), results.data(),
                                                   monoid}
      .step(0, offsets.size() - 1, memory);
}

// Scans segments. The values of a segment that is cut between threads are read twice.
template <Scan kScan, class Offset, class Value, Monoid<Value> M>
void segmented_scan(std::span<const Value> values, std::span<const Offset> offsets,
                    std::span<Value> results, const M& monoid, ThreadTeam& threads) {
  check_lengths("values", values.size(), "results", results.size());
  check_spans({placed("values", values), placed("offsets", offsets), placed("results", results)});
  check_offsets(offsets, values.size(), threads);
  const auto share = [&](size_t t) { return segment_share<M>(offsets, t, threads.size()); };
  auto tails = allocated<Tail<Value>>(threads.size(), {monoid.identity(), true});
  auto carries = allocated<Value>(threads.size(), monoid.identity());
  threads.run([&](size_t t) {
    const SegmentShare own = share(t);
    const size_t begin = own.is_inside_one() ? own.first.value : offsets[own.last.segment];
    if (t + 1 < threads.size()) {
      carries_out<phase::ReduceTails, Offset>();
      tails[t] = {fold_values(values, begin, own.last.value, monoid), own.is_inside_one()};
    }
  });
  find_carries(tails, monoid, carries);
  threads.run([&](size_t t) {
    const SegmentShare own = share(t);
    carries_out<phase::RunSegments, Offset>();
    const auto scan = [&](size_t first, size_t last, Value sum) {
      RawMemory memory;
      ScanValues<kScan, RawMemory, Value, M>{values.data(), results.data(), monoid}.step(
          first, last, sum, memory);
    };
    if (own.is_inside_one()) {
      return scan(own.first.value, own.last.value, carries[t]);
    }
    scan(own.first.value, offsets[own.first.segment + 1], carries[t]);
    RawMemory memory;
    ScanSegments<kScan, RawMemory, Offset, Value, M>{offsets.data(), values.data(), results.data(),
                                                     monoid}
        .step(own.first.segment + 1, own.last.segment, memory);
    scan(offsets[own.last.segment], own.last.value, monoid.identity());
  });
}

template <Scan kScan, class Value, Monoid<Value> M>
void flagged_scan(std::span<const Value> values, std::span<const uint8_t> heads,
                  std::span<Value> results, const M& monoid) {
  check_lengths("values", values.size(), "heads", heads.size());
  check_lengths("values", values.size(), "results", results.size());
  check_spans({placed("values", values), placed("heads", heads), placed("results", results)});
  RawMemory memory;
  Value sum = monoid.identity();
  ScanFlagged<kScan, RawMemory, Value, M>{heads.data(), values.data(), results.data(), monoid}.step(
      0, values.size(), sum, memory);
}

// flagged_scan on the threads of a team; contract at the top of this header.
template <Scan kScan, class Value, Monoid<Value> M>
void flagged_scan(std::span<const Value> values, std::span<const uint8_t> heads,
                  std::span<Value> results, const M& monoid, ThreadTeam& threads) {
  check_lengths("values", values.size(), "heads", heads.size());
  check_lengths("values", values.size(), "results", results.size());
  check_spans({placed("values", values), placed("heads", heads), placed("results", results)});
  const auto share = [&](size_t t) { return flagged_share<M>(heads, t, threads.size()); };
  auto tails = allocated<Tail<Value>>(threads.size(), {monoid.identity(), true});
  auto carries = allocated<Value>(threads.size(), monoid.identity());
  // An operator that does not associate lets no share begin within a segment
  if (associates<M>()) {
    threads.run([&](size_t t) {
      const Share own = share(t);
      const size_t head = last_head(heads, own.first, own.last);
      const size_t begin = head == own.last ? own.first : head;
      if (t + 1 < threads.size()) {
        tails[t] = {fold_values(values, begin, own.last, monoid), head == own.last};
      }
    });
  }
  find_carries(tails, monoid, carries);
  threads.run([&](size_t t) {
    const Share own = share(t);
    Value sum = carries[t];
    RawMemory memory;
    ScanFlagged<kScan, RawMemory, Value, M>{heads.data(), values.data(), results.data(), monoid}
        .step(own.first, own.last, sum, memory);
  });
}

}  // namespace presort::cpu
