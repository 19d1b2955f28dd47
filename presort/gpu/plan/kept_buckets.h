// How much of a table a gather keeps in the blocks' shared memory. No CUDA types.
#pragma once

#include <algorithm>
#include <cstdint>

#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// Bytes of the L1 that a table has beside the streams of a gather.
inline size_t l1_bytes(const DeviceLimits& device) {
  return device.shared_bytes_of_multiprocessor * 3 / 4;
}

inline bool fits_l1(const DeviceLimits& device, uint64_t m, size_t value_bytes) {
  return m <= l1_bytes(device) / value_bytes;
}

// Number of buckets that each block of a gather keeps. None in three cases: the L1 holds all
// buckets; less than half would be kept (2^17 buckets of u32, words, took 0.0066 ns a read instead
// of 0.0042, as frequent buckets are in the L1 anyway; uniform labels 0.0056 instead of 0.0064; one
// H100, 2026-11-25, one H200, 2026-11-22); a block reads less than its table twice over. No side
// effects.
inline uint32_t kept_buckets(const DeviceLimits& device, uint64_t n, uint64_t m,
                             size_t value_bytes) {
  constexpr uint64_t kMostTables = 2;
  const uint64_t most = device.shared_bytes_of_block / value_bytes;
  const uint64_t kept = std::min(m, most);
  const bool pays = !fits_l1(device, m, value_bytes) && m <= kMostTables * most &&
                    n / static_cast<uint64_t>(device.multiprocessors) >= 2 * kept;
  return pays ? static_cast<uint32_t>(kept) : 0;
}

}  // namespace presort::gpu
