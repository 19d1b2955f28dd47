// Tensors by their strides, and a reduction over some of their axes as one list of axes, whatever the
// operands look like: transposed, sliced and broadcast ones differ in strides alone.
//   results[kept] = ⊙ of map(operands at kept and reduced …) over all indices of the reduced axes
// Units:    extents in elements; strides in elements of their tensor, of any sign, 0 to broadcast
// Errors:   as merge_axes says, before anything is read or written
// Source:   Ynddal 2019, ch. 4 and 5
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace presort::inline v0 {

inline constexpr int kMostAxes = 8;      // most axes that are left after merging
inline constexpr int kMostOperands = 4;  // most operands of a reduction

// The address of a tensor's element at an index: data[Σ index[a] · strides[a]].
template <class T>
struct Strided {
  T* data = nullptr;
  // Stride of each axis of the shape, in elements; 0 in results where the axis is reduced
  std::vector<int64_t> strides;
};

// The index space of all operands together. A broadcast operand, which lacks an axis, has stride 0
// there.
struct AxesShape {
  std::vector<uint64_t> extents;
  std::vector<int> reduced;  // numbers of the reduced axes, ascending
};

// One axis of the index space, with its stride in every tensor.
struct Axis {
  uint64_t extent = 1;
  int64_t result_stride = 0;  // stride in the results, elements, for a kept axis
  std::array<int64_t, kMostOperands> strides = {};  // stride in each operand, elements
  bool operator==(const Axis&) const = default;
};

// The axes that are left after merging: kept ones in any order; reduced ones in the order of the
// reduction, the last one fastest.
struct MergedAxes {
  std::vector<Axis> kept;
  std::vector<Axis> reduced;
  int operands = 0;
  bool operator==(const MergedAxes&) const = default;
  uint64_t result_count() const;
  uint64_t reduced_count() const;
};

// A tensor's address, strides and element size, without the type of its elements.
struct StridedLayout {
  const char* name;
  uintptr_t address;
  size_t element_bytes;
  size_t alignment;  // alignment of one element, bytes
  std::span<const int64_t> strides;
};

// Drops axes of extent 1 and joins axes whose strides make one of them for every tensor. If the
// order of the reduction does not matter (`reorders`), reduced axes are put in the order of their
// strides first.
// Errors: PlanError for an axis of extent 0, a `reduced` that is not ascending or names no axis,
//         strides that are not as many as axes, more than kMostOperands operands, more than
//         kMostAxes axes after merging, results with a stride on a reduced axis, or more elements
//         than 2^62; SpanError for an element that is not aligned, results that share an element
//         (of two kept axes, the strides of one must step over all of the other), or that overlap
//         an operand
MergedAxes merge_axes(const AxesShape& shape, const StridedLayout& results,
                      std::span<const StridedLayout> operands, bool reorders);

}  // namespace presort
