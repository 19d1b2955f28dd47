// Which histograms of narrow labels have a kernel of their own. No CUDA types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// The table of gpu/device/count_shorts.cuh: 2^15 words, two counters of 16 bits in each.
inline constexpr uint32_t kShortWords = 1u << 15;
inline constexpr size_t kCountShortsShared = sizeof(uint32_t) * kShortWords;

// The table of gpu/device/count_bytes.cuh in shared memory: a counter for each label and lane.
inline constexpr int kByteLabels = 256;
inline constexpr size_t kCountBytesShared = sizeof(uint32_t) * kByteLabels * 32;

// True if the kernel for labels of one byte counts, whatever the plan says of sets and ranges.
// No side effects.
inline bool counts_bytes(const GpuPlan& plan, size_t label_bytes) {
  return label_bytes == 1 && !plan.presort && plan.strategy == GpuStrategy::sharedSets;
}

// True if the kernel for labels of two bytes counts: where the general kernel would take more than one
// range of counters, and the plan asks for no number of ranges. No side effects.
inline bool counts_shorts(const GpuPlan& plan, size_t label_bytes, uint64_t m, size_t count_bytes,
                          const DeviceLimits& device) {
  return label_bytes == 2 && !plan.presort && plan.strategy == GpuStrategy::sharedSets &&
         plan.range_passes <= 1 && plan.n_sets == 1 &&
         ranges_of(plan, m, count_bytes, device) > 1 &&
         kCountShortsShared <= device.shared_bytes_of_block;
}

}  // namespace presort::gpu
