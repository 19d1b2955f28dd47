// The reductions of a work-group's elements that Ynddal 2019 tries (§3.2), written anew: an element
// for each thread, in shared memory.
//   Tree              each second, fourth, eighth … thread takes in its neighbour's
//   TreeOfWarps       the same, without barriers within a warp
//   Compact           the first half of the threads takes in the second, and so on
//   CompactOfWarps    the same, without barriers once one warp is left
//   Elements<k>       threads take in k elements at a time until one warp is left
// Each is called by all threads with its element in shared[threadIdx.x], and leaves the sum in
// shared[0]. Requires: kGroup threads, a power of two
#pragma once

#include <cstdint>

namespace presort::inline v0::gpu::bench {

inline constexpr uint32_t kGroup = 256;
inline constexpr uint32_t kWarp = 32;

struct Tree {
  static constexpr const char* kName = "tree";
  static __device__ void reduce(float* shared) {
    for (uint32_t step = 1; step < kGroup; step *= 2) {
      __syncthreads();
      if (threadIdx.x % (2 * step) == 0) {
        shared[threadIdx.x] += shared[threadIdx.x + step];
      }
    }
  }
};

struct TreeOfWarps {
  static constexpr const char* kName = "tree, fewest barriers";
  static __device__ void reduce(float* shared) {
    for (uint32_t step = 1; step < kGroup; step *= 2) {
      if (step < kWarp) {
        __syncwarp();
      } else {
        __syncthreads();
      }
      if (threadIdx.x % (2 * step) == 0) {
        shared[threadIdx.x] += shared[threadIdx.x + step];
      }
    }
  }
};

// Reduces the first `count` elements, at most two warps of them, by the first warp.
static __device__ void reduce_by_one_warp(float* shared, uint32_t count) {
  if (threadIdx.x < kWarp) {
    for (uint32_t step = count / 2; step > 0; step /= 2) {
      if (threadIdx.x < step) {
        shared[threadIdx.x] += shared[threadIdx.x + step];
      }
      __syncwarp();
    }
  }
}

struct Compact {
  static constexpr const char* kName = "compact tree";
  static __device__ void reduce(float* shared) {
    for (uint32_t step = kGroup / 2; step > 0; step /= 2) {
      __syncthreads();
      if (threadIdx.x < step) {
        shared[threadIdx.x] += shared[threadIdx.x + step];
      }
    }
  }
};

struct CompactOfWarps {
  static constexpr const char* kName = "compact tree, fewest barriers";
  static __device__ void reduce(float* shared) {
    for (uint32_t step = kGroup / 2; step >= kWarp; step /= 2) {
      __syncthreads();
      if (threadIdx.x < step) {
        shared[threadIdx.x] += shared[threadIdx.x + step];
      }
    }
    __syncwarp();
    reduce_by_one_warp(shared, kWarp);
  }
};

template <uint32_t kElements>
struct Elements {
  static constexpr const char* kName = kElements == 2   ? "2 elements at a time"
                                       : kElements == 4 ? "4 elements at a time"
                                                        : "8 elements at a time";
  static __device__ void reduce(float* shared) {
    uint32_t count = kGroup;
    while (count > 2 * kWarp) {
      // A division by kElements may leave less than a warp: the last one is by 2
      const uint32_t by = count / kElements >= kWarp ? kElements : 2;
      count /= by;
      __syncthreads();
      if (threadIdx.x < count) {
        float sum = shared[threadIdx.x];
        for (uint32_t i = 1; i < by; ++i) {
          sum += shared[threadIdx.x + i * count];
        }
        shared[threadIdx.x] = sum;
      }
    }
    __syncthreads();
    reduce_by_one_warp(shared, count);
  }
};

// Reduces kGroup values in each block. Shapes: sums[blocks]
template <class Reduction>
__global__ void __launch_bounds__(kGroup)
    reduce_groups_kernel(const float* values, uint64_t n, float* sums) {
  __shared__ float shared[kGroup];
  const uint64_t i = uint64_t{blockIdx.x} * kGroup + threadIdx.x;
  shared[threadIdx.x] = i < n ? values[i] : 0;
  Reduction::reduce(shared);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = shared[0];
  }
}

// Reduces the sums of all groups, by one block whose threads first go through rows of them.
template <class Reduction>
__global__ void __launch_bounds__(kGroup)
    reduce_sums_kernel(const float* sums, uint64_t count, float* result) {
  __shared__ float shared[kGroup];
  float own = 0;
  for (uint64_t i = threadIdx.x; i < count; i += kGroup) {
    own += sums[i];
  }
  shared[threadIdx.x] = own;
  Reduction::reduce(shared);
  if (threadIdx.x == 0) {
    *result = shared[0];
  }
}

}  // namespace presort::gpu::bench
