// Lists the GPU plans for a problem. No CUDA types.
#pragma once

#include <algorithm>
#include <vector>

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {

// Checks the operation of a problem.
// Errors: PlanError for an operation that a GPU does not have (yet), and for labels of one or two
//         bytes in any operation but a histogram, which has kernels for them
//         (labels/narrow_labels.h)
void check_gpu_operation(const Problem& problem);

// True if an operation scans the inputs of each bucket.
constexpr bool scans_buckets(Operation operation) {
  return operation == Operation::multiscan || operation == Operation::multitag;
}

// The bytes of a bucket in the tables of an operation's plans. A scatter's are those of an index,
// as it looks for the last index of each label first.
size_t table_entry_bytes(const Problem& problem);

// Checks a problem and its plan. Errors: PlanError when a GPU has no such operation, or the plan does not
// fit
void check_gpu_problem(const Problem& problem, const GpuPlan& plan, const DeviceLimits& device);
bool runs_on(const Problem& problem, const GpuPlan& plan, const DeviceLimits& device);

// True if a GPU has a single plan for an operation, whose keys mean nothing.
constexpr bool has_one_gpu_plan(Operation operation) {
  return operation == Operation::gather || operation == Operation::compact ||
         operation == Operation::reduceAxes || is_segmented(operation);
}

// Calls a function with each plan that fits: plans without a pre-sort first, simpler ones before others;
// the only one where has_one_gpu_plan. Allocates nothing, but for a multireduceInOrder.
// Requires: a GPU has the operation (check_gpu_operation)
template <class Call>
void for_each_gpu_plan(const Problem& problem, const DeviceLimits& device, const Call& call);

// The list of plans that for_each_gpu_plan goes through. Errors: PlanError when a GPU has no such operation
std::vector<GpuPlan> gpu_plans(const Problem& problem, const DeviceLimits& device);

// The plans for a multireduce in the order of the inputs (check_gpu_order): tables or tiles without a
// pre-sort first, then pre-sorts in the fewest passes that a pass's bits allow, or in one more.
// Requires: problem.operation is a multireduce, or one in order
std::vector<GpuPlan> ordered_gpu_plans(const Problem& problem);

namespace detail {

// Lists plans without a pre-sort, for any order of the inputs. Plans that ask for fewer ranges of buckets
// than tables need are left out: they run as the plan that asks for as few as fit. So are copies of
// floating-point buckets that take more ranges than one copy does: f32, uniform labels, ns an input,
// 16 copies of 2^12, 2^12.6 and 2^13 buckets in two, two and three ranges 0.0048, 0.0050, 0.0065;
// four copies of 2^13.6 buckets in one range 0.0032 (one H100, 2026-11-26).
template <class Call>
void for_each_unsorted_plan(const Problem& problem, const DeviceLimits& device, const Call& call) {
  constexpr int kSets[] = {1, 2, 4, 8, 16, 32};
  constexpr int kRanges[] = {1, 2,
                             4};  // numbers of ranges of buckets to try; 1 stands for as few as fit
  const bool is_float =
      problem.types.value == ScalarType::f32 || problem.types.value == ScalarType::f64;
  const int least = ranges_of({}, problem.m, table_entry_bytes(problem), device);
  for (const int sets : kSets) {
    for (const int ranges : kRanges) {
      const GpuPlan plan = {.presort = {}, .range_passes = ranges, .n_sets = sets};
      const int needed = ranges_of(plan, problem.m, table_entry_bytes(problem), device);
      if (is_float && sets > 1 && needed > least) {
        continue;
      }
      if (needed <= device.multiprocessors && (ranges == 1 || needed == ranges)) {
        call(plan);
      }
    }
  }
  call(GpuPlan{.presort = {}, .strategy = GpuStrategy::globalSets});
}

// Lists plans in any order of the inputs with a pre-sort.
template <class Call>
void for_each_sorted_plan(const Problem& problem, const DeviceLimits& device, const Call& call) {
  const int most = std::min(label_bits(problem.m), kMaxPartBits);
  for (const GpuStrategy strategy : {GpuStrategy::sharedSets, GpuStrategy::globalSets}) {
    for (int passes = 1; passes <= kMaxPassesOfAnyOrder; ++passes) {
      for (int bits = passes; bits <= std::min(most, kMaxDigitBits * passes); ++bits) {
        GpuPlan plan{.presort = GpuPresort{.sort_bits = bits, .passes = passes},
                     .strategy = strategy};
        if (strategy == GpuStrategy::globalSets ||
            ranges_of_part(plan, problem.m, table_entry_bytes(problem), device) <=
                kMostRangesOfPart) {
          call(plan);
        }
      }
    }
  }
}

// Lists plans with a pre-sort by all bits of the labels, in as few passes as possible or more.
template <class Call>
void for_each_whole_sort(const Problem& problem, int most_passes, const Call& call) {
  const int bits = label_bits(problem.m);
  const int least = std::max(1, (bits + kMaxDigitBits - 1) / kMaxDigitBits);
  for (int passes = least; passes <= std::min(most_passes, bits); ++passes) {
    call(GpuPlan{.presort = GpuPresort{.sort_bits = bits, .passes = passes}});
  }
}

}  // namespace detail

template <class Call>
void for_each_gpu_plan(const Problem& problem, const DeviceLimits& device, const Call& call) {
  constexpr int kMostSortPasses = 8;  // most passes of a partialSort in the list; more take longer
  if (has_one_gpu_plan(problem.operation)) {
    call(GpuPlan{.presort = {}, .strategy = GpuStrategy::globalSets});
  } else if (problem.operation == Operation::multireduceInOrder) {
    for (const GpuPlan& plan : ordered_gpu_plans(problem)) {
      call(plan);
    }
  } else if (problem.operation == Operation::partialSort) {
    detail::for_each_whole_sort(problem, kMostSortPasses, call);
  } else if (scans_buckets(problem.operation)) {
    const size_t value_bytes = size_bytes(problem.types.value);
    if (!sorts_tiles({}, problem.m, scan_table_bits(device, value_bytes)) ||
        (value_bytes <= kMostTabledBytes && problem.n <= kMostTiledInputs)) {
      call(GpuPlan{});
    }
    detail::for_each_whole_sort(problem, kMostScanPasses, call);
  } else {
    detail::for_each_unsorted_plan(problem, device, call);
    detail::for_each_sorted_plan(problem, device, call);
  }
}

}  // namespace presort::gpu
