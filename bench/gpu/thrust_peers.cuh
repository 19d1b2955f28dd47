// Operations as a program that uses Thrust would do them: sort by key and reduce by key, scatter,
// gather. Memory for what its calls need comes from scratch memory, so that none is allocated while
// it is timed.
#pragma once

#include <thrust/gather.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "bench/gpu/timing.cuh"

namespace presort::inline v0::gpu::bench {

// An allocator for Thrust that hands out scratch memory from its front; each operation starts with
// all of it.
class ScratchAllocator {
 public:
  using value_type = char;

  explicit ScratchAllocator(const Array<std::byte>& scratch)
      : memory_(reinterpret_cast<char*>(scratch.data())), bytes_(scratch.size()) {}

  // Throws std::bad_alloc when less memory is left.
  char* allocate(std::ptrdiff_t bytes) {
    constexpr size_t kAlignment = 256;
    const size_t begin = (used_ + kAlignment - 1) / kAlignment * kAlignment;
    if (begin + static_cast<size_t>(bytes) > bytes_) {
      throw std::bad_alloc();
    }
    used_ = begin + static_cast<size_t>(bytes);
    return memory_ + begin;
  }
  void deallocate(char*, size_t) {}

 private:
  char* memory_;
  size_t bytes_;
  size_t used_ = 0;
};

// Multireduce by Thrust: sorts labels and values in place by all bits of the labels, then sums up
// each run of equal labels.
inline void thrust_sort_and_reduce(const Array<std::byte>& scratch, uint32_t* labels,
                                   uint32_t* values, uint32_t* unique, uint32_t* sums, uint64_t n) {
  ScratchAllocator sorting(scratch);
  thrust::sort_by_key(thrust::cuda::par_nosync(sorting), labels, labels + n, values);
  ScratchAllocator reducing(scratch);
  thrust::reduce_by_key(thrust::cuda::par_nosync(reducing), labels, labels + n, values, unique,
                        sums);
}

// Scatter by Thrust: where several values have one bucket, any of them stays.
inline void thrust_scatter(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                           uint64_t n) {
  thrust::scatter(thrust::cuda::par_nosync, values, values + n, labels, buckets);
}

inline void thrust_gather(const uint32_t* labels, const uint32_t* buckets, uint32_t* results,
                          uint64_t n) {
  thrust::gather(thrust::cuda::par_nosync, labels, labels + n, buckets, results);
}

}  // namespace presort::gpu::bench
