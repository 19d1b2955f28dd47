// Checks whether a plan fits a problem on a device. No CUDA types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/error.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

struct GpuProblem {
  uint64_t n = 0;
  uint64_t m = 0;
  size_t value_bytes = 4;
};

// Number of ranges of buckets that strategy=sharedSets works in: the plan's number, or as few as fit
// shared memory.
inline int ranges_of(const GpuPlan& plan, uint64_t m, size_t value_bytes,
                     const DeviceLimits& device) {
  const uint64_t table_bytes = device.table_bytes_of_block() / plan.n_sets;
  const uint64_t most = table_bytes / value_bytes;
  const auto least = static_cast<int>((m + most - 1) / most);
  return plan.range_passes > least ? plan.range_passes : least;
}

// The number of ranges that the buckets of a part of a pre-sort are divided into: as few as fit
// tables.
// Requires: a pre-sort by at most label_bits(m) bits
int ranges_of_part(const GpuPlan& plan, uint64_t m, size_t value_bytes, const DeviceLimits& device);
inline constexpr int kMostRangesOfPart = 4;

// Checks a plan of a reduction in any order. Errors: PlanError saying why it does not fit
void check_gpu_plan(const GpuPlan& plan, const GpuProblem& problem, const DeviceLimits& device);

// Checks only the pre-sort of a plan. Errors: PlanError, also for a plan without a pre-sort
void check_gpu_sort(const GpuPlan& plan, const GpuProblem& problem);

// Checks a plan for a multireduce in the order of the inputs (gpu/detail/reduce_in_order.cuh).
// Errors: PlanError
void check_gpu_order(const GpuPlan& plan, const GpuProblem& problem);

// Most label bits that a scan's tables resolve on the device; 0: the device has no room for tables.
int scan_table_bits(const DeviceLimits& device, size_t value_bytes);

// Checks a plan for a scan per bucket (gpu/detail/scan_in_order.cuh). Errors: PlanError
void check_gpu_scan(const GpuPlan& plan, const GpuProblem& problem, const DeviceLimits& device);

// True if a plan in order has n inputs sorted tile by tile (gpu/device/ordered/sorted_tiles.cuh): there is no
// pre-sort, and tables resolve only `table_bits` of the labels.
bool sorts_tiles(const GpuPlan& plan, uint64_t m, int table_bits);

// Checks the inputs of a plan without a pre-sort. Errors: PlanError when a plan sorts tiles of more
// inputs than kMostTiledInputs
void check_tiled_inputs(bool sorts_tiles, uint64_t n);

// Checks that labels can name all buckets. Errors: PlanError when there are more buckets than labels of
// `label_bytes` bytes can name
void check_labels_reach(uint64_t m, size_t label_bytes);

// Checks the length of an array. Errors: PlanError with both lengths when an array is not as long as the
// labels
void check_same_length(const char* name, size_t found, size_t accepted);

// Checks the scratch of a call. Errors: PlanError when it is too small, or not aligned to 64 bytes
void check_scratch(std::span<const std::byte> scratch, size_t needed_bytes);

}  // namespace presort::gpu
