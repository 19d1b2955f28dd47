// Scans consecutive segments of an array on a GPU.
//   segmented_scan        segment s is values from offsets[s] up to offsets[s + 1]
//   flagged_scan          a segment begins at value 0 and at every value i with heads[i] not 0
//   packed_flagged_scan   a segment begins at value 0 and at every value i for which bit i % 32 of
//                         packed heads[i / 32] is set
// exclusive: results[i] = identity ⊙ the values before i in its segment;
// inclusive: results[i] = identity ⊙ the values before i in its segment ⊙ values[i].
//   gpu::segmented_scan<Scan::inclusive>(stream, values, offsets, results, Sum<float>{}, scratch);
// Values that belong to no segment have no result: those elements stay as they are.
// Shapes:   values[n], results[n]; offsets[s + 1]; heads[n], or packed heads[(n + 31) / 32];
//           scratch[segmented_scan_scratch_bytes<Value>(n) or
//           flagged_scan_scratch_bytes<Value>(n)]; all in device memory
// Units:    n, s in elements; the scratch in bytes, aligned to 64
// Requires: 0 <= offsets[0] <= offsets[1] <= … <= n, which check_offsets.cuh checks; values of any
//           trivially copyable type of up to 64 bytes; results may be values. Head flags are taken
//           as they are: check_flags.cuh refuses a value 0 that begins no segment and a flag beyond
//           1
// Errors:   PlanError when lengths do not fit or the scratch is too small or misaligned; SpanError
//           when an array is misaligned, or one that is written overlaps another; before anything
//           is launched. EnvironmentError with CUDA's own words when a launch is refused
// Order:    left to right: ⊙ need not commute. What is grouped depends on n, the offsets or flags
//           and the type alone: sums that round are the same bits in every run
// Stream:   everything runs on `stream`; nothing is allocated and nothing waits (gpu/scan.cuh).
//           With offsets, each warp finds the heads of its values; of values of more than 8 bytes,
//           and of many values, one or two launches more make packed heads
//           (gpu/plan/segments/segment_heads.h)
// Source:   van den Hurk 2022, with its errata
#pragma once

#include <span>

#include "presort/gpu/block/found_heads.cuh"
#include "presort/gpu/check_offsets.cuh"
#include "presort/gpu/plan/segments/segment_heads.h"
#include "presort/gpu/scan.cuh"

namespace presort::inline v0::gpu {

// The scratch of a scan of segments with offsets.
template <class Value>
struct OffsetScanArrays {
  uint32_t* heads;  // heads[(n + 31) / 32]: bits for values, set where a segment begins
  LookBack<Value> look_back;

  static OffsetScanArrays take(Carver& carver, uint64_t n) {
    auto* heads = carver.take<uint32_t>((n + 31) / 32);
    auto look_back = LookBack<Value>::take(carver, scan_tile_count<Value>(n));
    look_back.clear_from(heads);
    return {heads, look_back};
  }
};

// Bytes of scratch for a segmented scan of n values.
template <class Value>
size_t segmented_scan_scratch_bytes(uint64_t n) {
  Carver carver;
  OffsetScanArrays<Value>::take(carver, n);
  return carver.used_bytes();
}

template <class Value>
size_t flagged_scan_scratch_bytes(uint64_t n) {
  return scan_scratch_bytes<Value>(n);
}

// Scans segments that begin at heads which no launch has to make, with checked arguments.
template <Scan kScan, class Value, class Heads, class M>
void scan_flagged(cudaStream_t stream, std::span<const Value> values, const Heads& heads,
                  std::span<Value> results, const M& monoid, std::span<std::byte> scratch) {
  if (values.empty()) {
    return;
  }
  Carver carver(scratch.data());
  const auto look_back = LookBack<Value>::take(carver, scan_tile_count<Value>(values.size()));
  scan_with_heads<kScan>(stream, values, heads, results, look_back, monoid);
}

template <Scan kScan, class Offset, class Value, Monoid<Value> M>
void segmented_scan(cudaStream_t stream, std::span<const Value> values,
                    std::span<const Offset> offsets, std::span<Value> results, const M& monoid,
                    std::span<std::byte> scratch) {
  const uint64_t n = values.size();
  check_offset_count(offsets.size());
  check_scan(values, offsets, "offsets", results, scratch, segmented_scan_scratch_bytes<Value>(n));
  if (n == 0) {
    return;
  }
  if constexpr (kHasTileBlocks<Value>) {
    if (finds_heads(n, offsets.size(), sizeof(Value))) {
      const FoundHeads<Offset> heads{offsets.data(), offsets.size()};
      return scan_flagged<kScan>(stream, values, heads, results, monoid, scratch);
    }
  }
  Carver carver(scratch.data());
  const auto arrays = OffsetScanArrays<Value>::take(carver, n);
  const OffsetHeads<Offset> heads{{arrays.heads}, offsets.data(), offsets.size(), arrays.heads};
  scan_with_heads<kScan>(stream, values, heads, results, arrays.look_back, monoid);
}

template <Scan kScan, class Value, Monoid<Value> M>
void flagged_scan(cudaStream_t stream, std::span<const Value> values,
                  std::span<const uint8_t> heads, std::span<Value> results, const M& monoid,
                  std::span<std::byte> scratch) {
  check_lengths("heads", heads.size(), "values", values.size());
  check_scan(values, heads, "heads", results, scratch,
             flagged_scan_scratch_bytes<Value>(values.size()));
  scan_flagged<kScan>(stream, values, ByteHeads{heads.data(), are_packs_aligned<16>(heads.data())},
                      results, monoid, scratch);
}

template <Scan kScan, class Value, Monoid<Value> M>
void packed_flagged_scan(cudaStream_t stream, std::span<const Value> values,
                         std::span<const uint32_t> packed_heads, std::span<Value> results,
                         const M& monoid, std::span<std::byte> scratch) {
  check_lengths("packed heads", packed_heads.size(), "words of 32 values",
                (values.size() + 31) / 32);
  check_scan(values, packed_heads, "packed heads", results, scratch,
             flagged_scan_scratch_bytes<Value>(values.size()));
  scan_flagged<kScan>(stream, values, BitHeads{packed_heads.data()}, results, monoid, scratch);
}

}  // namespace presort::gpu
