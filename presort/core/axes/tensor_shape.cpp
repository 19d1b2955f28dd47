#include "presort/core/axes/tensor_shape.h"

#include <algorithm>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

constexpr uint64_t kMostTensorElements = uint64_t{1} << 62;

// Calls f for each piece of a text between separators. "": no pieces.
template <class F>
void for_each_piece(std::string_view text, char separator, const F& f) {
  while (!text.empty()) {
    const size_t end = text.find(separator);
    f(text.substr(0, end));
    if (end == std::string_view::npos) {
      return;
    }
    text.remove_prefix(end + 1);
    if (text.empty()) {
      f(text);  // a separator at the end stands before an empty piece
    }
  }
}

[[noreturn]] void reject_shape(std::string_view key, std::string_view found,
                               const std::string& accepted) {
  throw InputError(std::string(key) + ": found " + quoted_text(found) + ", accepted: " + accepted);
}

}  // namespace

Extents parse_extents(std::string_view key, std::string_view text) {
  const auto refuse = [&] {
    reject_shape(key, text,
                 "1 to " + std::to_string(kMostAxes) +
                     " extents of at least 1, of at most 2^62 elements, such as 512x512x1024");
  };
  Extents extents;
  for_each_piece(text, 'x', [&](std::string_view piece) {
    if (extents.count == kMostAxes) {
      refuse();
    }
    const uint64_t extent = parse_count(key, piece);
    if (extent == 0) {
      refuse();
    }
    extents.of[static_cast<size_t>(extents.count++)] = extent;
  });
  if (element_count(extents) > kMostTensorElements) {
    refuse();
  }
  return extents;
}

std::string to_string(const Extents& extents) {
  std::string text;
  for (const uint64_t extent : extents.all()) {
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  }
  return text;
}

AxisSet parse_axis_set(std::string_view key, std::string_view text) {
  AxisSet axes;
  for_each_piece(text, ',', [&](std::string_view piece) {
    const uint64_t axis = parse_count(key, piece);
    if (axis >= kMostAxes || axes.has(static_cast<int>(axis))) {
      reject_shape(key, text,
                   "axes from 0 to " + std::to_string(kMostAxes - 1) + ", each once, such as 0,2");
    }
    axes.bits |= 1u << axis;
  });
  return axes;
}

std::string to_string(const AxisSet& axes) {
  std::string text;
  for (int axis = 0; axis < kMostAxes; ++axis) {
    if (axes.has(axis)) {
      text += (text.empty() ? "" : ",") + std::to_string(axis);
    }
  }
  return text;
}

uint64_t element_count(const Extents& extents) {
  return kept_count(extents, {});
}

uint64_t kept_count(const Extents& extents, const AxisSet& reduced) {
  uint64_t count = 1;
  for (int axis = 0; axis < extents.count; ++axis) {
    const uint64_t extent = extents.of[static_cast<size_t>(axis)];
    count = reduced.has(axis) ? count : saturating_multiply(count, extent);
  }
  return count;
}

AxesShape shape_of(const Extents& extents, const AxisSet& reduced) {
  AxesShape shape;
  for (int axis = 0; axis < extents.count; ++axis) {
    shape.extents.push_back(extents.of[static_cast<size_t>(axis)]);
    if (reduced.has(axis)) {
      shape.reduced.push_back(axis);
    }
  }
  return shape;
}

std::vector<int64_t> dense_strides(const Extents& extents, const AxisSet& left_out) {
  std::vector<int64_t> strides(static_cast<size_t>(extents.count));
  int64_t stride = 1;
  for (int axis = extents.count; axis-- > 0;) {
    if (!left_out.has(axis)) {
      strides[static_cast<size_t>(axis)] = stride;
      stride *= static_cast<int64_t>(extents.of[static_cast<size_t>(axis)]);
    }
  }
  return strides;
}

}  // namespace presort
