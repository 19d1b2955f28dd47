// Scans an array on a GPU.
//   exclusive   results[i] = identity ⊙ values[0] ⊙ … ⊙ values[i - 1]
//   inclusive   results[i] = identity ⊙ values[0] ⊙ … ⊙ values[i]
//   gpu::scan<Scan::exclusive>(stream, values, results, Sum<float>{}, scratch);
// Shapes:   values[n], results[n]; scratch[scan_scratch_bytes<Value>(n)]; all in device memory
// Units:    n in elements; the scratch in bytes, aligned to 64
// Requires: values of any trivially copyable type of up to 64 bytes; results may be values
// Errors:   PlanError when lengths differ or the scratch is too small or misaligned; SpanError when
//           an array is misaligned, or one that is written overlaps another; before anything is
//           launched. EnvironmentError with CUDA's own words when a launch is refused
// Order:    ⊙ need not commute. What is grouped depends on n and the type alone: sums that round
//           are the same bits in every run
// Stream:   everything runs on `stream`, in two launches, or one of few tiles
//           (block/tile_pipeline.cuh); nothing is allocated and nothing waits, so a graph can
//           capture it
// How:      sums of many integers by CUB (device/ordered/exact_sums.cuh); all else by the look-back
//           of device/ordered/scan_tiles.cuh
// Source:   Merrill and Garland 2016
#pragma once

#include <algorithm>
#include <span>

#include "presort/core/monoid.h"
#include "presort/core/scan.h"
#include "presort/gpu/device/ordered/exact_sums.cuh"
#include "presort/gpu/device/ordered/scan_tiles.cuh"
#include "presort/gpu/host/check_arrays.h"
#include "presort/gpu/host/remembered_bytes.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

template <class Value>
size_t scan_scratch_bytes(uint64_t n) {
  Carver carver;
  LookBack<Value>::take(carver, tile_count<Value>(n));
  size_t bytes = carver.used_bytes();
  if constexpr (kSumsExactly<Sum<Value>, Value>) {
    if (scans_by_cub<Sum<Value>, Value>(n)) {
      bytes = std::max(bytes, remembered_bytes(n, [](uint64_t count) {
                         size_t exclusive = 0;
                         size_t inclusive = 0;
                         scan_by_cub<Scan::exclusive, Value>(nullptr, exclusive, nullptr, nullptr,
                                                             count, nullptr);
                         scan_by_cub<Scan::inclusive, Value>(nullptr, inclusive, nullptr, nullptr,
                                                             count, nullptr);
                         return std::max(exclusive, inclusive);
                       }));
    }
  }
  return bytes;
}

// Checks arguments of a scan, which may be in place. Errors: PlanError, SpanError
template <class Value, class Other>
void check_scan(std::span<const Value> values, std::span<Other> others, const char* others_name,
                std::span<Value> results, std::span<std::byte> scratch, size_t scratch_bytes) {
  check_lengths("results", results.size(), "values", values.size());
  check_scratch(scratch, scratch_bytes);
  const bool is_in_place = values.data() == results.data();
  check_arrays({placed_array("values", is_in_place ? values.first(0) : values),
                placed_array(others_name, others), placed_array("results", results),
                placed_array("scratch", scratch)});
}

// The arguments of a scan of segments that begin at heads.
template <class Value, class Heads>
ScanArguments<Value, Heads> scan_arguments(std::span<const Value> values, const Heads& heads,
                                           std::span<Value> results) {
  constexpr int kPack = kPackOf<Value>;
  constexpr size_t kMostCachedBytes = size_t{1} << 25;  // more results than that stay in no cache
  return {values.data(),
          results.data(),
          heads,
          values.size(),
          are_packs_aligned<kPack>(values.data()) && are_packs_aligned<kPack>(results.data()),
          results.size_bytes() > kMostCachedBytes};
}

// Scans segments that begin at heads, with checked arguments.
// Requires: n >= 1
template <Scan kScan, class Value, class Heads, class M>
void scan_with_heads(cudaStream_t stream, std::span<const Value> values, const Heads& heads,
                     std::span<Value> results, const LookBack<Value>& look_back, const M& monoid) {
  scan_tiles<kScan>(stream, scan_arguments(values, heads, results), look_back, monoid);
}

template <Scan kScan, class Value, Monoid<Value> M>
void scan(cudaStream_t stream, std::span<const Value> values, std::span<Value> results,
          const M& monoid, std::span<std::byte> scratch) {
  const uint64_t n = values.size();
  check_scan(values, std::span<const Value>(), "", results, scratch, scan_scratch_bytes<Value>(n));
  if (n == 0) {
    return;
  }
  if constexpr (kSumsExactly<M, Value>) {
    if (scans_by_cub<M, Value>(n)) {
      size_t bytes = scratch.size();
      return scan_by_cub<kScan>(scratch.data(), bytes, values.data(), results.data(), n, stream);
    }
  }
  Carver carver(scratch.data());
  const auto look_back = LookBack<Value>::take(carver, scan_tile_count<Value>(n));
  scan_with_heads<kScan>(stream, values, NoHeads{}, results, look_back, monoid);
}

}  // namespace presort::gpu
