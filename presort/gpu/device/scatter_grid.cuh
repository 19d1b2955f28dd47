// Scatter of 2^11 to 2^17 inputs in one launch: buckets[k] = values[j] for the last j with
// labels[j] == k. All blocks are on the device at the same time and wait for each other twice,
// which takes less than two more launches. The last writer of a bucket is the maximum of the
// indices of its inputs, as in scatter_few.cuh:
//   1. last[labels[i]] = 0 for each input; or last[k] = 0 for each bucket, where these are few
//   2. last[labels[i]] = max(last[labels[i]], i + 1)
//   3. buckets[labels[i]] = values[i], where last[labels[i]] == i + 1
#pragma once

#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>

#include "presort/gpu/host/device_limits.h"
#include "presort/gpu/warp/meet.cuh"

namespace presort::inline v0::gpu {

inline constexpr int kScatterGridThreads = 1024;

// Most inputs of a device: a thread has one, and a multiprocessor has a block. Of 2^18 and more,
// eight for a thread, it took up to twice the time of other plans (one H100, 2026-11-26).
inline uint64_t most_inputs_of_scatter_grid(const DeviceLimits& device) {
  return static_cast<uint64_t>(device.multiprocessors) * kScatterGridThreads;
}

// True if a device scatters n inputs into m buckets in one launch. Into few buckets, many atomics
// wait for each other, where tables in shared memory do not. Time over that of the plan that would
// be chosen, uniform labels, u32 (one H100, 2026-11-26):
//   m      n = 2^12  2^14  2^15  2^16  2^17
//   2^5    0.87      0.74  0.81  1.04  1.35
//   2^9    0.90      0.93  1.02  1.44  2.23
//   2^13   0.88      0.83  0.82  0.87  0.85
//   2^21   0.92      0.89  0.90  0.88  0.91
inline bool scatters_in_grid(const DeviceLimits& device, uint64_t n, uint64_t m) {
  constexpr uint64_t kManyInputs = uint64_t{1} << 15;
  constexpr uint64_t kFewBuckets = uint64_t{1} << 12;
  return n > 0 && n <= most_inputs_of_scatter_grid(device) && m > 0 &&
         (n <= kManyInputs || m >= kFewBuckets);
}

// Arrays of a scatter in one launch. last[m] holds anything at first.
template <class Label, class Value>
struct ScatterGrid {
  const Label* labels;
  const Value* values;
  uint32_t n;
  Value* buckets;
  uint64_t m;
  uint32_t* last;
};

template <class Label, class Value>
__global__ void __launch_bounds__(kScatterGridThreads)
    scatter_grid_kernel(ScatterGrid<Label, Value> of, bool clears_buckets) {
  const auto grid = cooperative_groups::this_grid();
  const uint32_t i = blockIdx.x * kScatterGridThreads + threadIdx.x;
  const bool is_input = i < of.n;
  const Label label = is_input ? of.labels[i] : Label{};
  if (clears_buckets) {
    for (uint64_t k = i; k < of.m; k += gridDim.x * kScatterGridThreads) {
      of.last[k] = 0;
    }
  } else if (is_input) {
    of.last[label] = 0;
  }
  grid.sync();
  const unsigned lanes = __ballot_sync(kAllLanes, is_input);
  if (is_input) {
    // The last of the lanes that have one label writes its index, unless a later one is there.
    const unsigned alike = lanes_alike(lanes, label);
    if (alike >> threadIdx.x % kWarpLanes == 1 && __ldcg(of.last + label) < i + 1) {
      atomicMax(of.last + label, i + 1);
    }
  }
  grid.sync();
  if (is_input && __ldcg(of.last + label) == i + 1) {
    of.buckets[label] = of.values[i];
  }
}

// Launches the scatter.
// Shapes:   labels[n], values[n]; buckets[m], last[m]
// Requires: 1 <= n <= most_inputs_of_scatter_grid; labels below m
// Errors:   EnvironmentError when CUDA refuses the launch
template <class Label, class Value>
void scatter_grid(cudaStream_t stream, ScatterGrid<Label, Value> of) {
  // Buckets for each input up to which all of them are cleared: side by side that takes about an
  // eighth of what it takes at random.
  constexpr uint64_t kBucketsOfInput = 8;
  bool clears_buckets = of.m <= kBucketsOfInput * of.n;
  void* arguments[] = {&of, &clears_buckets};
  const auto kernel = scatter_grid_kernel<Label, Value>;
  PRESORT_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                           dim3((of.n - 1) / kScatterGridThreads + 1),
                                           dim3(kScatterGridThreads), arguments, 0, stream));
}

}  // namespace presort::gpu
