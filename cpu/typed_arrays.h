// The arrays of one problem, of one label and one value type, in memory of one page size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/problem.h"
#include "cpu/pages.h"

namespace presort::cpu {

// Where the arrays begin in their pages (see kStagger).
inline constexpr size_t kValueStagger = kStagger;
inline constexpr size_t kBucketStagger = 2 * kStagger;
inline constexpr size_t kScratchStagger = 3 * kStagger;
inline constexpr size_t kResultStagger = 4 * kStagger;

// How many elements of each array an operation has.
constexpr uint64_t value_count(const Problem& problem) {
  return has_values(problem.operation) ? problem.n : 0;
}
constexpr uint64_t result_count(const Problem& problem) {
  return has_results(problem.operation) ? problem.n : 0;
}

// Bytes of an array in pages of its own; none of an array without elements.
constexpr size_t staggered_bytes(uint64_t elements, size_t element_bytes, size_t stagger) {
  return elements == 0 ? 0 : elements * element_bytes + stagger;
}

template <class T>
class StaggeredArray {
 public:
  StaggeredArray() = default;
  // Errors: EnvironmentError, as of PageBuffer
  StaggeredArray(uint64_t elements, size_t stagger, PageSize page_size)
      : pages_(staggered_bytes(elements, sizeof(T), stagger), page_size),
        elements_(pages_.array<T>(elements, elements == 0 ? 0 : stagger)) {}

  std::span<T> elements() const { return elements_; }
  uint64_t huge_bytes() const { return pages_.huge_bytes(); }

 private:
  PageBuffer pages_;
  std::span<T> elements_;
};

template <class Label, class Value>
struct TypedArrays {
  TypedArrays(const Problem& problem, PageSize page_size)
      : labels(problem.n, 0, page_size),
        values(value_count(problem), kValueStagger, page_size),
        results(result_count(problem), kResultStagger, page_size),
        buckets(problem.m, kBucketStagger, page_size) {}

  uint64_t huge_bytes() const {
    return labels.huge_bytes() + values.huge_bytes() + results.huge_bytes() + buckets.huge_bytes();
  }

  StaggeredArray<Label> labels;
  StaggeredArray<Value> values;
  StaggeredArray<Value> results;
  StaggeredArray<Value> buckets;
};

}  // namespace presort::cpu
