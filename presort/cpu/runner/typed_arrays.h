// The arrays of one problem, of one label and one value type, in memory of one page size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/base/checked.h"
#include "presort/core/problem.h"
#include "presort/cpu/pages.h"

namespace presort::inline v0::cpu {

// Offsets, bytes, at which the arrays of a run begin in their pages (see kStagger).
inline constexpr size_t kValueStagger = kStagger;
inline constexpr size_t kBucketStagger = 2 * kStagger;
inline constexpr size_t kScratchStagger = 3 * kStagger;
inline constexpr size_t kResultStagger = 4 * kStagger;
inline constexpr size_t kSortedLabelStagger = 5 * kStagger;

// Number of elements of each of an operation's arrays; kUncountable for 2^64 or more.
constexpr uint64_t label_count(const Problem& problem) {
  return is_segmented(problem.operation) || !has_labels(problem.operation) ? 0 : problem.n;
}
constexpr uint64_t offset_count(const Problem& problem) {
  return is_segmented(problem.operation) ? saturating_add(problem.m, 1) : 0;
}
constexpr uint64_t value_count(const Problem& problem) {
  return has_values(problem.operation) ? problem.n : 0;
}
constexpr uint64_t result_count(const Problem& problem) {
  if (problem.operation == Operation::segmentedReduce ||
      problem.operation == Operation::reduceAxes) {
    return problem.m;
  }
  const bool sorted_values = problem.operation == Operation::partialSort;
  return has_results(problem.operation) || sorted_values ? problem.n : 0;
}
constexpr uint64_t bucket_count(const Problem& problem) {
  return has_buckets(problem.operation) ? problem.m : 0;
}
constexpr uint64_t sorted_label_count(const Problem& problem) {
  return problem.operation == Operation::partialSort ? problem.n : 0;
}
inline uint64_t part_start_count(const Problem& problem) {
  return problem.operation == Operation::partialSort
             ? saturating_add(saturating_power_of_two(label_bits(problem.m)), 1)
             : 0;
}

// Bytes of an array in pages of its own, 0 for an array without elements; kUncountable for 2^64 or
// more, which a PageBuffer refuses.
constexpr size_t staggered_bytes(uint64_t elements, size_t element_bytes, size_t stagger) {
  return elements == 0 ? 0 : saturating_add(saturating_multiply(elements, element_bytes), stagger);
}

template <class T>
class StaggeredArray {
 public:
  StaggeredArray() = default;
  // Allocates an array of a run. Errors: EnvironmentError and Stopped, as PageBuffer
  StaggeredArray(uint64_t elements, size_t stagger, PageSize page_size, StopToken stop = {})
      : pages_(staggered_bytes(elements, sizeof(T), stagger), page_size, stop),
        elements_(pages_.array<T>(elements, elements == 0 ? 0 : stagger)) {}

  std::span<T> elements() const { return elements_; }
  uint64_t huge_bytes() const { return pages_.huge_bytes(); }

 private:
  PageBuffer pages_;
  std::span<T> elements_;
};

// The arrays that an operation writes; arrays that the operation does not have are empty.
template <class Label, class Value>
struct OutputArrays {
  OutputArrays(const Problem& problem, PageSize page_size, StopToken stop = {})
      : results(result_count(problem), kResultStagger, page_size, stop),
        buckets(bucket_count(problem), kBucketStagger, page_size, stop),
        sorted_labels(sorted_label_count(problem), kSortedLabelStagger, page_size, stop),
        part_starts(part_start_count(problem), kBucketStagger, page_size, stop) {}

  uint64_t huge_bytes() const {
    return results.huge_bytes() + buckets.huge_bytes() + sorted_labels.huge_bytes() +
           part_starts.huge_bytes();
  }

  StaggeredArray<Value> results;  // results of an operation; sorted values of a partial sort
  StaggeredArray<Value> buckets;
  StaggeredArray<Label> sorted_labels;
  StaggeredArray<size_t> part_starts;
};

// Arrays of a run: labels and values that the kernel reads, and its outputs.
template <class Label, class Value>
struct TypedArrays : OutputArrays<Label, Value> {
  TypedArrays(const Problem& problem, PageSize page_size, StopToken stop = {})
      : OutputArrays<Label, Value>(problem, page_size, stop),
        labels(label_count(problem), 0, page_size, stop),
        values(value_count(problem), kValueStagger, page_size, stop),
        offsets(offset_count(problem), 0, page_size, stop) {}

  uint64_t huge_bytes() const {
    return OutputArrays<Label, Value>::huge_bytes() + labels.huge_bytes() + values.huge_bytes() +
           offsets.huge_bytes();
  }

  StaggeredArray<Label> labels;
  StaggeredArray<Value> values;
  StaggeredArray<Label>
      offsets;  // begins of the segments, in place of labels; segmented operations only
};

}  // namespace presort::cpu
