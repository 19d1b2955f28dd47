// How a GPU's scan of segments with offsets learns where they begin. No CUDA types.
#pragma once

#include <cstddef>
#include <cstdint>

namespace presort::inline v0::gpu {

// True if each warp finds the heads of its values among the offsets (block/found_heads.cuh);
// otherwise a launch before the scan makes a bit for each value. µs of inclusive sums of f32 in
// segments of up to twice a length, by bits, by heads found, and by CUB's scan by key (one H200,
// 2026-11-26; bench/gpu/ordered/offset_heads.cu):
//   length  n = 2^16        2^18            2^20            2^22            2^24      2^28
//   3       16.0 13.1 16.3  17.1 12.8 16.7  19.0 14.7 18.6  28.3 25.4 35.5  75 73 89  924 825 1069
//   8       14.1 12.6 15.7  16.1 12.6 17.1  17.9 14.3 18.9  26.8 24.1 35.1  63 66 86  750 775 1070
//   64      13.0 12.1 18.0  15.4 12.1 16.9  17.5 14.3 19.0  24.6 23.8 35.4  59 64 88  644 714 1066
//   1000    12.8 12.0 16.4  15.5 12.3 17.0  16.6 13.7 18.3  26.0 23.2 34.6  60 61 88  628 693 1066
constexpr bool finds_heads(uint64_t n, uint64_t offsets, size_t value_bytes) {
  constexpr size_t kMostBytes =
      8;  // longer values have pipelines, whose warps would wait for a search
  constexpr uint64_t kMost = uint64_t{1} << 23;
  constexpr uint64_t kShortMean = 5;
  return value_bytes <= kMostBytes && offsets <= n && (n <= kMost || n / offsets < kShortMean);
}

}  // namespace presort::gpu
