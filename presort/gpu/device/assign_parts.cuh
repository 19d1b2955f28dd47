// buckets[k] = the value of the last pair of label k, where pairs are ordered, stably, by the top
// bits of their labels. A block has a slice of the pairs, whatever parts it meets there, and finds
// the last pairs of a part in shared memory. If a part lies in its slice, the block takes the
// values at once, from pairs that it has just read. A part that lies in several slices is cut: its
// blocks leave the places of their last pairs in an array in device memory, last_of_cut, from which
// a second kernel takes the values. A slice has at most two such parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "presort/gpu/block/last_pairs.cuh"
#include "presort/gpu/block/prefetch.cuh"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/device/assign_parts_in_bulk.cuh"
#include "presort/gpu/device/cut_pairs.cuh"
#include "presort/gpu/host/allow_shared_bytes.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/host/host_device.h"

namespace presort::inline v0::gpu {

// Sets buckets[i] to the value of pair last[i] - 1 where last[i] is not 0, by all threads of the
// block, with several loads in flight.
template <class PairType, class Index, class Value>
__device__ void take_values(const PairType* pairs, const Index* last, uint32_t count,
                            Value* buckets) {
  constexpr int kBuckets = 4;
  for (uint32_t first = threadIdx.x; first < count; first += kBuckets * blockDim.x) {
    Index index[kBuckets];
    Value value[kBuckets];
#pragma unroll
    for (int i = 0; i < kBuckets; ++i) {
      const uint32_t k = first + i * blockDim.x;
      index[i] = k < count ? last[k] : 0;
      if (index[i] != 0) {
        memcpy(&value[i], &pairs[index[i] - 1].value, sizeof(Value));
      }
    }
#pragma unroll
    for (int i = 0; i < kBuckets; ++i) {
      if (index[i] != 0) {
        buckets[first + i * blockDim.x] = value[i];
      }
    }
  }
}

// Bytes of a part's values in shared memory, which stand before the bytes of the places.
template <class PairType>
PRESORT_HOST_DEVICE size_t kept_value_bytes(Digit top) {
  constexpr size_t kAlignment = 16;
  const size_t bytes = sizeof(PairType::value) << top.shift;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Kernel that assigns a slice of ordered pairs to their buckets. kKeepsValues: values of the last
// pairs so far are kept in shared memory beside their places. Otherwise values are read again,
// where the L2 has them still if all blocks' parts are not too many. The next rows are read while
// these are worked on.
template <int kRows, bool kKeepsValues, class PairType, class Index, class Value>
__global__ void __launch_bounds__(kAssignThreads)
    assign_parts_kernel(CutPairs<PairType> cut, Value* buckets, Index* last_of_cut) {
  using Label = decltype(PairType::label);
  using Last = LastPairs<PairType, Index>;
  extern __shared__ __align__(16) unsigned char shared[];
  const uint32_t most = 1u << cut.top.shift;
  const size_t value_bytes = kKeepsValues ? kept_value_bytes<PairType>(cut.top) : 0;
  Last last{reinterpret_cast<Index*>(shared + value_bytes),
            reinterpret_cast<typename Last::Word*>(shared)};
  const uint64_t slice_last = cut.slice_begin(blockIdx.x + uint64_t{1});
  uint64_t at = cut.slice_begin(blockIdx.x);
  if (at >= slice_last) {
    return;
  }
  PartCursor<PairType> cursor(cut, at);
  PairRows<kRows, PairType> ahead;
  ahead.read(cut.pairs, at, min(cursor.end, slice_last));
  last.clear(most);
  __syncthreads();
  while (at < slice_last) {
    const uint32_t part = cursor.part;
    const uint64_t end = min(cursor.end, slice_last);
    const bool is_whole = at == cut.begins[part] && end == cursor.end;
    const uint64_t first_bucket = cut.first_bucket(part);
    const uint32_t count = cut.bucket_count(part);
    if (is_whole && (end - at) * kBucketsOfSector >= count) {
      prefetch_to_l2(buckets + first_bucket, count * sizeof(Value));
    }
    while (at < end) {
      const PairRows<kRows, PairType> rows = ahead;
      at = rows.last;
      if (at < slice_last) {
        if (at == end) {
          cursor.advance();
        }
        ahead.read(cut.pairs, at, min(cursor.end, slice_last));
      }
      last.mark(rows, static_cast<Label>(first_bucket));
      __syncthreads();
      if constexpr (kKeepsValues) {
        last.keep(rows, static_cast<Label>(first_bucket));
        __syncthreads();
      }
    }
    if (is_whole && !kKeepsValues) {
      take_values(cut.pairs, last.places, count, buckets + first_bucket);
      __syncthreads();
    }
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      const Index place = last.places[i];
      last.places[i] = 0;
      if (place != 0 && !is_whole) {
        atomicMax(last_of_cut + first_bucket + i, place);
      } else if (place != 0 && kKeepsValues) {
        Value value;
        memcpy(&value, last.values + i, sizeof value);
        buckets[first_bucket + i] = value;
      }
    }
    __syncthreads();
  }
}

// Calls work for each part that lies in several slices. There is a block for each border of slices;
// of the borders within a part, the first one's block works.
template <class PairType, class Work>
__global__ void __launch_bounds__(512) for_each_cut_part_kernel(CutPairs<PairType> cut, Work work) {
  const uint64_t at = cut.slice_begin(blockIdx.x + uint64_t{1});
  if (at >= cut.n) {
    return;
  }
  const uint32_t part = cut.part_at(at);
  if (cut.begins[part] == at || cut.begins[part] < at - cut.slice) {
    return;  // skipped: no part is cut at this border of slices, or an earlier border cuts it too
  }
  work(cut, part);
}

template <class Index>
struct ClearLast {
  Index* last;
  template <class Cut>
  __device__ void operator()(const Cut& cut, uint32_t part) const {
    for (uint32_t i = threadIdx.x; i < cut.bucket_count(part); i += blockDim.x) {
      last[cut.first_bucket(part) + i] = 0;
    }
  }
};

template <class Index, class Value>
struct TakeValues {
  const Index* last;
  Value* buckets;
  template <class Cut>
  __device__ void operator()(const Cut& cut, uint32_t part) const {
    const uint64_t first = cut.first_bucket(part);
    take_values(cut.pairs, last + first, cut.bucket_count(part), buckets + first);
  }
};

// Some of the ordered pairs, those of whole parts, and how many blocks they are cut for.
struct PairRange {
  uint64_t first = 0;
  uint64_t last = 0;  // index behind the last pair; more than first
  unsigned slices = 1;
};

// Slices of n pairs: as many as keep `multiprocessors` busy.
inline unsigned assign_slices(uint64_t n, int multiprocessors) {
  constexpr int kSlicesOfMultiprocessor = 4;
  return static_cast<unsigned>(std::min<uint64_t>(
      static_cast<uint64_t>(multiprocessors) * kSlicesOfMultiprocessor, n / kAssignThreads + 1));
}

// Assigns the last value of each bucket of a range of pairs.
// Shapes:   pairs[n], buckets[m], begins[top.count() + 1]; last_of_cut[m], which need not be
//           cleared
// Requires: range.last < 2^32; 2^top.shift indices fit a block's shared memory
// Errors:   EnvironmentError when CUDA refuses a launch
template <class PairType, class Index, class Value>
void assign_range_of_parts(cudaStream_t stream, const PairType* pairs, const PairRange& range,
                           Value* buckets, uint64_t m, const uint64_t* begins, Digit top,
                           Index* last_of_cut) {
  constexpr int kThreadsOfCut = 512;
  constexpr int kRows = sizeof(PairType) <= 8 ? 8 : 4;
  const unsigned slices = range.slices;
  const uint64_t n = range.last - range.first;
  const CutPairs<PairType> cut{pairs,      range.last, m, begins, top, (n + slices - 1) / slices,
                               range.first};
  const auto for_each_cut_part = [&](const auto& work) {
    if (slices > 1) {
      for_each_cut_part_kernel<<<slices - 1, kThreadsOfCut, 0, stream>>>(cut, work);
      PRESORT_CUDA(cudaGetLastError());
    }
  };
  const auto launch = [&]<bool kKeepsValues>(std::bool_constant<kKeepsValues>,
                                             size_t shared_bytes) {
    const auto kernel = assign_parts_kernel<kRows, kKeepsValues, PairType, Index, Value>;
    allow_shared_bytes(kernel, shared_bytes);
    kernel<<<slices, kAssignThreads, shared_bytes, stream>>>(cut, buckets, last_of_cut);
    PRESORT_CUDA(cudaGetLastError());
  };
  const size_t place_bytes = sizeof(Index) << top.shift;
  const size_t bytes = place_bytes + kept_value_bytes<PairType>(top);
  for_each_cut_part(ClearLast<Index>{last_of_cut});
  if (launches_in_bulk(stream, cut, slices, buckets, last_of_cut)) {
    // the bulk-copy kernel was launched: no other kernel is needed
  } else if (bytes <= current_device_limits().shared_bytes_of_block) {
    launch(std::true_type{}, bytes);
  } else {
    launch(std::false_type{}, place_bytes);
  }
  for_each_cut_part(TakeValues<Index, Value>{last_of_cut, buckets});
}

// Assigns the last value of each bucket. Requires: 1 <= n < 2^32; else as assign_range_of_parts
template <class PairType, class Index, class Value>
void assign_parts(cudaStream_t stream, const PairType* pairs, uint64_t n, Value* buckets,
                  uint64_t m, const uint64_t* begins, Digit top, Index* last_of_cut) {
  const unsigned slices = assign_slices(n, current_device_limits().multiprocessors);
  assign_range_of_parts(stream, pairs, {.first = 0, .last = n, .slices = slices}, buckets, m,
                        begins, top, last_of_cut);
}

}  // namespace presort::gpu
