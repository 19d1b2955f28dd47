// buckets[k] = the value of the last pair of label k, of pairs that are ordered, stably, by the top
// bits of their labels. A block has a slice of the pairs, whatever parts it meets there, and finds
// the last pairs of a part in shared memory. Of a part that lies in its slice it takes the values
// at once, from pairs that it has just read. Parts that slices cut, two for each at most, meet in
// an array in device memory, of which only their buckets are in use.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/device/last_writers.cuh"
#include "gpu/device/update_parts.cuh"

namespace presort::gpu {

// The n pairs, cut into slices.
template <class PairType>
struct CutPairs {
  const PairType* pairs;
  uint64_t n;
  uint64_t m;              // buckets
  const uint64_t* begins;  // [top.count() + 1]: where each part starts
  Digit top;
  uint64_t slice;  // pairs of one

  __device__ uint32_t part_at(uint64_t pair) const { return top.of(pairs[pair].label); }
  __device__ uint64_t first_bucket(uint32_t part) const {
    return static_cast<uint64_t>(part) << top.shift;
  }
  __device__ uint32_t bucket_count(uint32_t part) const {
    return static_cast<uint32_t>(min(uint64_t{1} << top.shift, m - first_bucket(part)));
  }
};

// buckets[i] = the value of pair last[i] - 1, where that is not 0, by all threads of the block:
// some values are asked for before the first is there.
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

template <int kPack, int kPacks, class PairType, class Index, class Value>
__global__ void __launch_bounds__(1024)
    assign_parts_kernel(CutPairs<PairType> cut, Value* buckets, Index* last_of_cut) {
  using Label = decltype(PairType::label);
  extern __shared__ __align__(16) unsigned char shared[];
  auto* last = reinterpret_cast<Index*>(shared);
  const PlacedInput<PairType, Index> input{cut.pairs};
  const uint64_t slice_last = min((blockIdx.x + uint64_t{1}) * cut.slice, cut.n);
  uint64_t at = blockIdx.x * cut.slice;
  while (at < slice_last) {
    const uint32_t part = cut.part_at(at);
    const uint64_t end = min(cut.begins[part + 1], slice_last);
    const uint64_t first_bucket = cut.first_bucket(part);
    const uint32_t count = cut.bucket_count(part);
    SharedTable<Index, Max<Index>> table(last, count, 0, {});
    table.fill();
    __syncthreads();
    update_table<kPack, kPacks>(input, at, end, static_cast<Label>(first_bucket), table);
    __syncthreads();
    if (at == cut.begins[part] && end == cut.begins[part + 1]) {
      take_values(cut.pairs, last, count, buckets + first_bucket);
    } else {
      table.template combine_into<true>(last_of_cut + first_bucket);
    }
    __syncthreads();
    at = end;
  }
}

// What is to be done about a part that slices cut: a block for each cut, the first of the part
// works.
template <class PairType, class Work>
__global__ void __launch_bounds__(512) for_each_cut_part_kernel(CutPairs<PairType> cut, Work work) {
  const uint64_t at = (blockIdx.x + uint64_t{1}) * cut.slice;
  if (at >= cut.n) {
    return;
  }
  const uint32_t part = cut.part_at(at);
  if (cut.begins[part] == at || cut.begins[part] < at - cut.slice) {
    return;  // between two parts, or not the first cut of this one
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

// Shapes:   pairs[n], buckets[m], begins[top.count() + 1]
//           last_of_cut[m], which need not be cleared
// Requires: 1 <= n < 2^32; 2^top.shift indices fit a block's shared memory
// Errors:   EnvironmentError when CUDA refuses a launch
template <class PairType, class Index, class Value>
void assign_parts(cudaStream_t stream, const PairType* pairs, uint64_t n, Value* buckets,
                  uint64_t m, const uint64_t* begins, Digit top, Index* last_of_cut) {
  constexpr int kPack = sizeof(PairType) <= 8 ? 2 : 1;
  constexpr int kThreadsOfCut = 512;
  const DeviceLimits device = current_device_limits();
  const size_t shared_bytes = (sizeof(Index) << top.shift) + kSpareBytes;
  // One block of a multiprocessor, so that the L2 still has the parts' pairs when values are taken:
  // with three of 512 threads 2^28 buckets took 0.0264 ns an input, so 0.0245.
  constexpr int kThreads = 1024;
  constexpr int kSlicesOfBlock = 4;
  const auto slices = static_cast<unsigned>(std::min<uint64_t>(
      static_cast<uint64_t>(device.multiprocessors) * kSlicesOfBlock, n / kThreads + 1));
  const CutPairs<PairType> cut{pairs, n, m, begins, top, (n + slices - 1) / slices};
  const auto for_each_cut_part = [&](const auto& work) {
    if (slices > 1) {
      for_each_cut_part_kernel<<<slices - 1, kThreadsOfCut, 0, stream>>>(cut, work);
      PRESORT_CUDA(cudaGetLastError());
    }
  };
  for_each_cut_part(ClearLast<Index>{last_of_cut});
  const auto kernel = assign_parts_kernel<kPack, 4, PairType, Index, Value>;
  allow_shared_bytes(kernel, shared_bytes);
  kernel<<<slices, kThreads, shared_bytes, stream>>>(cut, buckets, last_of_cut);
  PRESORT_CUDA(cudaGetLastError());
  for_each_cut_part(TakeValues<Index, Value>{last_of_cut, buckets});
}

}  // namespace presort::gpu
