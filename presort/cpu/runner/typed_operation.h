// Runs the kernel of a named operation, and plain loops that kernels are checked with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/problem.h"
#include "presort/cpu/gather.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/multiscan.h"
#include "presort/cpu/multitag.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/reduce_axes.h"
#include "presort/cpu/scatter.h"
#include "presort/cpu/segmented.h"

namespace presort::inline v0::cpu {

// Bytes of scratch that the plan needs for the problem. Requires: check_plan(plan, problem) passes
template <class Label, class Value>
size_t operation_scratch_bytes(const Problem& problem, const CpuPlan& plan) {
  switch (problem.operation) {
    case Operation::multireduce:
      return multireduce_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::scatter:
      return scatter_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::gather:
      return gather_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::histogram:
      return histogram_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::multiscan:
      return multiscan_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::multitag:
      return multitag_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::partialSort:
      return partial_sort_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
    case Operation::segmentedReduce:
    case Operation::segmentedScan:
    case Operation::scan:
    case Operation::reduceAxes:
      return 0;
    case Operation::compact:
    case Operation::multireduceInOrder:
      break;
  }
  throw Error("an operation without a kernel");
}

// Views of the arrays that an operation works on (cpu/runner/typed_arrays.h); arrays that the operation
// does not have are empty.
template <class Label, class Value>
struct OperationArrays {
  std::span<const Label> labels;
  std::span<const Value> values;
  std::span<const Label> offsets;
  std::span<Value> results;
  std::span<Value> buckets;
  std::span<Label> sorted_labels;
  std::span<size_t> part_starts;
};

// True if an operation treats values as plain bytes or as counts: one unsigned type then serves for all
// types of a size.
constexpr bool works_on_words(Operation operation) {
  return operation == Operation::gather || operation == Operation::scatter ||
         operation == Operation::partialSort || counts_labels(operation);
}

template <class Label, class Word>
void run_word_operation(const Problem& problem, const OperationArrays<Label, Word>& a,
                        const CheckedCpuPlan& plan, std::span<std::byte> scratch,
                        ThreadTeam& threads) {
  switch (problem.operation) {
    case Operation::gather:
      return gather(a.labels, std::span<const Word>(a.buckets), a.results, plan, scratch, threads);
    case Operation::scatter:
      return scatter(a.labels, a.values, a.buckets, plan, scratch, threads);
    case Operation::histogram:
      return histogram(a.labels, a.buckets, plan, scratch, threads);
    case Operation::multitag:
      return multitag(a.labels, a.buckets, a.results, plan, scratch, threads);
    case Operation::partialSort:
      return partial_sort(a.labels, a.values, problem.m, a.sorted_labels, a.results, a.part_starts,
                          plan, scratch, threads);
    default:
      throw Error("an operation on more than words");
  }
}

// Sums of the values of a dense tensor over some of its axes.
template <class Label, class Value>
void run_axes(const Problem& problem, const OperationArrays<Label, Value>& a, ThreadTeam& threads) {
  const Strided<Value> results{a.results.data(), dense_strides(problem.shape, problem.axes)};
  const Strided<const Value> values{a.values.data(), dense_strides(problem.shape, {})};
  reduce_axes(shape_of(problem.shape, problem.axes), results, Sum<Value>{}, std::identity{},
              threads, values);
}

template <class Label, class Value>
void run_sums(const Problem& problem, const OperationArrays<Label, Value>& a,
              const CheckedCpuPlan& plan, std::span<std::byte> scratch, ThreadTeam& threads) {
  switch (problem.operation) {
    case Operation::multireduce:
      return multireduce(a.labels, a.values, a.buckets, Sum<Value>{}, plan, scratch, threads);
    case Operation::multiscan:
      return multiscan<Scan::exclusive>(a.labels, a.values, a.buckets, a.results, Sum<Value>{},
                                        plan, scratch, threads);
    case Operation::segmentedReduce:
      return threads.size() == 1
                 ? segmented_reduce(a.values, a.offsets, a.results, Sum<Value>{})
                 : segmented_reduce(a.values, a.offsets, a.results, Sum<Value>{}, threads);
    case Operation::reduceAxes:
      return run_axes(problem, a, threads);
    case Operation::segmentedScan:
    case Operation::scan:
      return threads.size() == 1
                 ? segmented_scan<Scan::exclusive>(a.values, a.offsets, a.results, Sum<Value>{})
                 : segmented_scan<Scan::exclusive>(a.values, a.offsets, a.results, Sum<Value>{},
                                                   threads);
    default:
      throw Error("an operation on words alone");
  }
}

// Runs an operation. Requires: Value is unsigned if the operation works on words
template <class Label, class Value>
void run_operation(const Problem& problem, const OperationArrays<Label, Value>& a,
                   const CheckedCpuPlan& plan, std::span<std::byte> scratch, ThreadTeam& threads) {
  if constexpr (std::is_unsigned_v<Value>) {
    if (works_on_words(problem.operation)) {
      return run_word_operation(problem, a, plan, scratch, threads);
    }
  }
  run_sums(problem, a, plan, scratch, threads);
}

// Reference result of a partial sort, in a few plain lines that are independent of the kernels.
template <class Label, class Value>
void run_plain_sort(const OperationArrays<Label, Value>& a) {
  // ends[d]: end of part d; during the sort, place of the part's next input
  std::vector<size_t> ends(a.part_starts.size());
  for (const Label label : a.labels) {
    ++ends[label + size_t{1}];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::ranges::copy(ends, a.part_starts.begin());
  for (size_t i = 0; i < a.labels.size(); ++i) {
    const size_t place = ends[a.labels[i]]++;
    a.sorted_labels[place] = a.labels[i];
    a.results[place] = a.values[i];
  }
}

// Reference results of segmented operations, in a few plain lines that are independent of the kernels.
template <class Label, class Value>
void run_plain_segments(Operation operation, const OperationArrays<Label, Value>& a) {
  for (size_t s = 0; s + 1 < a.offsets.size(); ++s) {
    Value sum{};
    for (size_t i = a.offsets[s]; i < a.offsets[s + 1]; ++i) {
      if (scans_segments(operation)) {
        a.results[i] = sum;
      }
      sum = sum + a.values[i];
    }
    if (operation == Operation::segmentedReduce) {
      a.results[s] = sum;
    }
  }
}

// Reference results of a reduction over axes, in a few plain lines that are independent of the
// kernels. Requires: results are 0
template <class Label, class Value>
void run_plain_axes(const Problem& problem, const OperationArrays<Label, Value>& a) {
  for (size_t i = 0; i < a.values.size(); ++i) {
    uint64_t rest = i;
    uint64_t result = 0;
    uint64_t step = 1;  // elements of the results from one index of an axis to the next
    for (int axis = problem.shape.count; axis-- > 0;) {
      const uint64_t extent = problem.shape.of[static_cast<size_t>(axis)];
      if (!problem.axes.has(axis)) {
        result += rest % extent * step;
        step *= extent;
      }
      rest /= extent;
    }
    a.results[result] = a.results[result] + a.values[i];
  }
}

// Reference results of every operation, in a few plain lines that are independent of the kernels.
template <class Label, class Value>
void run_plain_loop(const Problem& problem, const OperationArrays<Label, Value>& a) {
  const Operation operation = problem.operation;
  if (operation == Operation::reduceAxes) {
    return run_plain_axes(problem, a);
  }
  if (operation == Operation::partialSort) {
    return run_plain_sort(a);
  }
  if (is_segmented(operation)) {
    return run_plain_segments(operation, a);
  }
  for (size_t i = 0; i < a.labels.size(); ++i) {
    Value& bucket = a.buckets[a.labels[i]];
    switch (operation) {
      case Operation::multireduce:
        bucket = bucket + a.values[i];
        break;
      case Operation::scatter:
        bucket = a.values[i];
        break;
      case Operation::gather:
        a.results[i] = bucket;
        break;
      case Operation::histogram:
        bucket = bucket + 1;
        break;
      case Operation::multiscan:
        a.results[i] = bucket;
        bucket = bucket + a.values[i];
        break;
      case Operation::multitag:
        a.results[i] = bucket;
        bucket = bucket + 1;
        break;
      default:
        throw Error("an operation without buckets");
    }
  }
}

}  // namespace presort::cpu
