// Sheffler's multiprefix, partitioned: a block has the nodes of kSide · kSide inputs in shared or
// in global memory, kSide rows of them; then the totals of all segments are scanned for each
// bucket, and added to what each segment gave. Exclusive. As the thesis lists it, but for one test:
// whether a node has a row below it is a flag of its own. The thesis tests for a row sum other than
// the neutral element, but values may add up to that.
// Shapes:   totals[segments · m]; m at most kMostShefflerBuckets
// Source:   Eilers 2014, §5.4; Sheffler 1993
#pragma once

#include <cstdint>

#include "presort/gpu/host/cuda_check.h"

namespace presort::inline v0::gpu::bench {

inline constexpr int kUsualSide = 64;
inline constexpr int kMostShefflerBuckets = 256;

// The records of a block, in shared or in global memory.
template <class Value, int kSide>
struct SpineRecords {
  static constexpr int kSegment = kSide * kSide;
  static_assert(kSegment + kMostShefflerBuckets <= 65536);
  Value row_sum[kSegment + kMostShefflerBuckets];
  Value spine_sum[kSegment + kMostShefflerBuckets];
  uint16_t spine[kSegment +
                 kMostShefflerBuckets];  // numbers of records: bucket k is record kSegment + k
  bool is_spine[kSegment + kMostShefflerBuckets];
  uint8_t label[kSegment];
};

// global_records: a block's each, or null, for records in shared memory.
template <int kSide, class Value, class M>
__global__ void __launch_bounds__(kSide)
    sheffler_kernel(const uint32_t* labels, const Value* values, uint64_t n, uint32_t m,
                    Value* results, Value* totals, SpineRecords<Value, kSide>* global_records,
                    M monoid) {
  extern __shared__ __align__(16) unsigned char raw[];
  using Records = SpineRecords<Value, kSide>;
  constexpr int kSegment = Records::kSegment;
  auto& records =
      global_records == nullptr ? *reinterpret_cast<Records*>(raw) : global_records[blockIdx.x];
  const uint64_t first = static_cast<uint64_t>(blockIdx.x) * kSegment;
  const auto is_input = [&](int i) { return first + i < n; };
  for (int i = threadIdx.x; i < kSegment + static_cast<int>(m); i += kSide) {
    records.row_sum[i] = monoid.identity();
    records.spine_sum[i] = monoid.identity();
    records.spine[i] = static_cast<uint16_t>(i);
    records.is_spine[i] = false;
    if (i < kSegment && is_input(i)) {
      records.label[i] = static_cast<uint8_t>(labels[first + i]);
    }
  }
  __syncthreads();
  for (int row = kSide - 1; row >= 0; --row) {
    const int i = row * kSide + threadIdx.x;
    const int bucket = kSegment + (is_input(i) ? records.label[i] : 0);
    if (is_input(i)) {
      records.spine[i] = records.spine[bucket];
      records.is_spine[records.spine[i]] = true;
    }
    __syncthreads();
    if (is_input(i)) {
      records.spine[bucket] =
          static_cast<uint16_t>(i);  // store from all threads of a row: any one may stay
    }
    __syncthreads();
  }
  for (int column = 0; column < kSide; ++column) {
    const int i = threadIdx.x * kSide + column;
    if (is_input(i)) {
      Value& sum = records.row_sum[records.spine[i]];
      sum = monoid(sum, values[first + i]);
    }
    __syncthreads();
  }
  for (int row = 0; row < kSide; ++row) {
    const int i = row * kSide + threadIdx.x;
    if (is_input(i) && records.is_spine[i]) {
      records.spine_sum[records.spine[i]] = monoid(records.spine_sum[i], records.row_sum[i]);
    }
    __syncthreads();
  }
  for (int column = 0; column < kSide; ++column) {
    const int i = threadIdx.x * kSide + column;
    if (is_input(i)) {
      Value& sum = records.spine_sum[records.spine[i]];
      results[first + i] = sum;
      sum = monoid(sum, values[first + i]);
    }
    __syncthreads();
  }
  for (uint32_t k = threadIdx.x; k < m; k += kSide) {
    totals[static_cast<uint64_t>(blockIdx.x) * m + k] = records.spine_sum[kSegment + k];
  }
}

// totals[s · m + k] = buckets[k] ⊙ the totals of segments before s. A block has a bucket.
template <class Value, class M>
__global__ void __launch_bounds__(1024)
    scan_totals_kernel(Value* totals, const Value* buckets, uint64_t segments, uint32_t m,
                       M monoid) {
  __shared__ Value sums[1024];
  const uint64_t of_thread = (segments + 1023) / 1024;
  const uint64_t first = min(threadIdx.x * of_thread, segments);
  const uint64_t last = min(first + of_thread, segments);
  Value sum = monoid.identity();
  for (uint64_t s = first; s < last; ++s) {
    sum = monoid(sum, totals[s * m + blockIdx.x]);
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    Value before = buckets[blockIdx.x];
    for (Value& of : sums) {
      const Value next = monoid(before, of);
      of = before;
      before = next;
    }
  }
  __syncthreads();
  sum = sums[threadIdx.x];
  for (uint64_t s = first; s < last; ++s) {
    const Value next = monoid(sum, totals[s * m + blockIdx.x]);
    totals[s * m + blockIdx.x] = sum;
    sum = next;
  }
}

template <class Value, class M>
__global__ void add_totals_kernel(const uint32_t* labels, uint64_t n, uint32_t segment, uint32_t m,
                                  const Value* totals, Value* results, M monoid) {
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += threads) {
    results[i] = monoid(totals[i / segment * m + labels[i]], results[i]);
  }
}

template <int kSide = kUsualSide>
uint64_t sheffler_segments(uint64_t n) {
  constexpr uint64_t kSegment = uint64_t{kSide} * kSide;
  return (n + kSegment - 1) / kSegment;
}

// Scans the totals of all segments for each bucket, and adds what is before a segment to the
// results within it. Shapes: totals[segments · m]
template <class Value, class M>
void add_segments(const uint32_t* labels, uint64_t n, uint32_t segment, uint32_t m,
                  const Value* buckets, Value* totals, Value* results, const M& monoid) {
  scan_totals_kernel<<<m, 1024>>>(totals, buckets, (n + segment - 1) / segment, m, monoid);
  PRESORT_CUDA(cudaGetLastError());
  add_totals_kernel<<<2048, 256>>>(labels, n, segment, m, totals, results, monoid);
  PRESORT_CUDA(cudaGetLastError());
}

// Launches the exclusive scan per bucket, with records in global memory where they are given.
// Shapes:   global_records[sheffler_segments<kSide>(n)]
// Requires: 1 <= m <= kMostShefflerBuckets
template <int kSide = kUsualSide, class Value, class M>
void sheffler(const uint32_t* labels, const Value* values, uint64_t n, const Value* buckets,
              uint32_t m, Value* results, Value* totals, const M& monoid,
              SpineRecords<Value, kSide>* global_records = nullptr) {
  using Records = SpineRecords<Value, kSide>;
  const auto kernel = sheffler_kernel<kSide, Value, M>;
  const int bytes = global_records == nullptr ? sizeof(Records) : 0;
  PRESORT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<static_cast<unsigned>(sheffler_segments<kSide>(n)), kSide, bytes>>>(
      labels, values, n, m, results, totals, global_records, monoid);
  PRESORT_CUDA(cudaGetLastError());
  add_segments(labels, n, Records::kSegment, m, buckets, totals, results, monoid);
}

}  // namespace presort::gpu::bench
