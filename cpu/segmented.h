// Reductions and scans of consecutive segments of an array.
//   segmented_reduce        results[s] = identity ⊙ the values from offsets[s] up to offsets[s + 1]
//   segmented_scan<kScan>   results[i] = identity ⊙ the values before i in its segment; inclusive:
//                           and values[i]. The values of no segment have no result
//   flagged_scan<kScan>     the same where a segment begins at 0 and wherever heads[i] is not 0
// Shapes:   values[n]; offsets[s + 1], results[s] of a reduction; heads[n]; results[n] of a scan
// Requires: no overlap
// Errors:   PlanError when lengths do not fit; OffsetError with the first offset that is below the
//           one before it or above n; both before anything is written. Then what ⊙ throws, the
//           results being in some state between. Nothing is allocated.
// Threads:  1
// Order:    left to right, one by one: ⊙ need neither commute nor associate. A segment without
//           values is reduced to the identity
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/error.h"
#include "core/monoid.h"
#include "cpu/arguments.h"
#include "cpu/memory.h"
#include "cpu/phases/segmented.h"

namespace presort::cpu {

// Offsets that are not those of consecutive segments.
struct OffsetError : InputError {
  OffsetError(size_t at_index, uint64_t found, uint64_t least, uint64_t most)
      : InputError("offset " + std::to_string(found) + " at index " + std::to_string(at_index) +
                   ", accepted: " + std::to_string(least) + " to " + std::to_string(most)),
        index(at_index),
        offset(found) {}
  size_t index;
  uint64_t offset;
};

// Errors: OffsetError; PlanError when there is none
template <class Offset>
void check_offsets(std::span<const Offset> offsets, size_t n) {
  if (offsets.empty()) {
    throw PlanError("offsets: found none, needed one more than there are segments");
  }
  uint64_t least = 0;
  for (size_t s = 0; s < offsets.size(); ++s) {
    const auto found = static_cast<uint64_t>(offsets[s]);
    if (found < least || found > n) {
      throw OffsetError(s, found, least, n);
    }
    least = found;
  }
}

template <class Offset, class Value, Monoid<Value> M>
void segmented_reduce(std::span<const Value> values, std::span<const Offset> offsets,
                      std::span<Value> results, const M& monoid) {
  check_offsets(offsets, values.size());
  check_lengths("offsets", offsets.size(), "results, and one more,", results.size() + 1);
  RawMemory memory;
  ReduceSegments<RawMemory, Offset, Value, M>{offsets.data(), values.data(), results.data(), monoid}
      .step(0, results.size(), memory);
}

template <Scan kScan, class Offset, class Value, Monoid<Value> M>
void segmented_scan(std::span<const Value> values, std::span<const Offset> offsets,
                    std::span<Value> results, const M& monoid) {
  check_offsets(offsets, values.size());
  check_lengths("values", values.size(), "results", results.size());
  RawMemory memory;
  ScanSegments<kScan, RawMemory, Offset, Value, M>{offsets.data(), values.data(), results.data(),
                                                   monoid}
      .step(0, offsets.size() - 1, memory);
}

template <Scan kScan, class Value, Monoid<Value> M>
void flagged_scan(std::span<const Value> values, std::span<const uint8_t> heads,
                  std::span<Value> results, const M& monoid) {
  check_lengths("values", values.size(), "heads", heads.size());
  check_lengths("values", values.size(), "results", results.size());
  RawMemory memory;
  Value sum = monoid.identity();
  ScanFlagged<kScan, RawMemory, Value, M>{heads.data(), values.data(), results.data(), monoid}.step(
      0, values.size(), sum, memory);
}

}  // namespace presort::cpu
