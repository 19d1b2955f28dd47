// Scans and reductions by key of many integers, by CUB: sums of integers are exact, so that it does
// not matter in which order they are made. (Sums that round are made by this library's own kernels,
// which group them in the same way in every run.) ns of n = 2^28 u32, ours and CUB's, one H200,
// CUDA 13.0, 2026-11-25: scans 0.00325 and 0.00257; from 2^21 down ours are ahead or level, in
// fewer launches. From 6 million on, sums by keys of 4 bytes of values of 4 bytes are this
// library's too, µs, ours and CUB's, runs of 2, 8, 1000 and 10^7 (one H100, 2026-11-26):
//   n     2           8           1000       10^7
//   2^22  41.4  39.1  34.8  35.6  29.8 32.0  28.4 30.4
//   2^23  63.5  64.9  53.6  57.0  48.2 53.5  45.6 51.7
//   2^24   106   107  86.7  94.8  77.7 90.0  73.3 88.6
//   2^28  1347  1434  1059  1265   930 1174   894 1152
#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <span>
#include <type_traits>

#include "presort/core/monoid.h"
#include "presort/core/scan.h"
#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu {

inline constexpr uint64_t kFewestOfCub = (uint64_t{1} << 21) + 1;
inline constexpr uint64_t kFewestOfOwnRuns = uint64_t{3} << 21;  // of keys and values of 4 bytes

template <class M, class Value>
inline constexpr bool kSumsExactly = std::is_same_v<M, Sum<Value>>&& std::is_integral_v<Value>;

template <class M, class Value>
constexpr bool scans_by_cub(uint64_t n) {
  return kSumsExactly<M, Value> && n >= kFewestOfCub;
}

template <class M, class Key, class Value>
constexpr bool reduces_by_key_by_cub(uint64_t n) {
  constexpr bool kHasOwn = sizeof(Key) == 4 && sizeof(Value) == 4;
  return scans_by_cub<M, Value>(n) && !(kHasOwn && n >= kFewestOfOwnRuns);
}

// A scan by CUB. With scratch == nullptr it sets `bytes` to the scratch needed and launches
// nothing.
template <Scan kScan, class Value>
void scan_by_cub(void* scratch, size_t& bytes, const Value* values, Value* results, uint64_t n,
                 cudaStream_t stream) {
  using Add = cuda::std::plus<Value>;
  if constexpr (kScan == Scan::exclusive) {
    PRESORT_CUDA(
        cub::DeviceScan::ExclusiveScan(scratch, bytes, values, results, Add{}, Value{}, n, stream));
  } else {
    PRESORT_CUDA(cub::DeviceScan::InclusiveScan(scratch, bytes, values, results, Add{}, n, stream));
  }
}

template <class Key, class Value>
void reduce_by_key_by_cub(void* scratch, size_t& bytes, const Key* keys, const Value* values,
                          Key* run_keys, Value* results, uint64_t* run_count, uint64_t n,
                          cudaStream_t stream) {
  PRESORT_CUDA(cub::DeviceReduce::ReduceByKey(scratch, bytes, keys, run_keys, values, results,
                                              run_count, cuda::std::plus<Value>{}, n, stream));
}

}  // namespace presort::gpu
