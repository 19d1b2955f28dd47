// The extents of a dense row-major tensor and a set of its axes, as small values that a problem
// carries: "512x512x1024" and "0,2".
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "presort/core/axes/axes.h"

namespace presort::inline v0 {

// The extents of a tensor, the last axis fastest; none: no tensor.
struct Extents {
  std::array<uint64_t, kMostAxes> of = {};  // extents of the axes, elements; 0 behind the last axis
  int count = 0;                            // number of axes
  std::span<const uint64_t> all() const { return {of.data(), static_cast<size_t>(count)}; }
  bool operator==(const Extents&) const = default;
  auto operator<=>(const Extents&) const = default;
};

// A set of axes of a tensor.
struct AxisSet {
  uint32_t bits = 0;  // bit a is set if axis a is in the set
  bool has(int axis) const { return (bits >> axis & 1u) != 0; }
  bool operator==(const AxisSet&) const = default;
  auto operator<=>(const AxisSet&) const = default;
};

// Extents from "512x512x1024"; each may be written as any count (core/text/units.h), such as 2^10.
// "": none.
// Errors: InputError naming `key` for an extent of 0, more than kMostAxes axes, or more than 2^62
//         elements
Extents parse_extents(std::string_view key, std::string_view text);
std::string to_string(const Extents& extents);

// A set of axes from "0,2". "": none.
// Errors: InputError naming `key` for an axis of kMostAxes or more, or one that is named twice
AxisSet parse_axis_set(std::string_view key, std::string_view text);
std::string to_string(const AxisSet& axes);

// Number of elements of a tensor; 1 without axes.
uint64_t element_count(const Extents& extents);
// Number of results when some of its axes are reduced: the product of the other extents.
uint64_t kept_count(const Extents& extents, const AxisSet& reduced);

// The shape of a reduction, for merge_axes. Requires: every axis of the set is below extents.count
AxesShape shape_of(const Extents& extents, const AxisSet& reduced);
// Strides of a dense row-major tensor with the given extents; 0 for axes in `left_out`, which the
// tensor does not have.
std::vector<int64_t> dense_strides(const Extents& extents, const AxisSet& left_out);

}  // namespace presort
