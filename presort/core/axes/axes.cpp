#include "presort/core/axes/axes.h"

#include <algorithm>
#include <cstdlib>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"

namespace presort::inline v0 {
namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 62;

uint64_t magnitude(int64_t stride) {
  return stride < 0 ? uint64_t{0} - static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride);
}

uint64_t count_of(const std::vector<Axis>& axes) {
  uint64_t count = 1;
  for (const Axis& axis : axes) {
    count = saturating_multiply(count, axis.extent);
  }
  return count;
}

std::string axis_name(size_t axis) {
  return "axis " + std::to_string(axis);
}

void check_shape(const AxesShape& shape) {
  uint64_t elements = 1;
  for (size_t axis = 0; axis < shape.extents.size(); ++axis) {
    if (shape.extents[axis] == 0) {
      throw PlanError(axis_name(axis) + ": found extent 0, accepted: 1 or more");
    }
    elements = saturating_multiply(elements, shape.extents[axis]);
  }
  if (elements > kMostElements) {
    throw PlanError("extents: found more than 2^62 elements, accepted: up to 2^62");
  }
  int before = -1;
  for (const int axis : shape.reduced) {
    if (axis <= before || axis >= static_cast<int>(shape.extents.size())) {
      throw PlanError("reduced: found " + axis_name(static_cast<size_t>(axis)) +
                      ", accepted: axes below " + std::to_string(shape.extents.size()) +
                      ", ascending");
    }
    before = axis;
  }
}

// How far a tensor's lowest and highest addresses lie from the element at index 0, in elements.
struct Reach {
  uint64_t after = 0;
  uint64_t before = 0;
};

Reach reach_of(const AxesShape& shape, const StridedLayout& tensor) {
  Reach reach;
  for (size_t axis = 0; axis < shape.extents.size(); ++axis) {
    const int64_t stride = tensor.strides[axis];
    uint64_t& side = stride < 0 ? reach.before : reach.after;
    side = saturating_add(side, saturating_multiply(shape.extents[axis] - 1, magnitude(stride)));
  }
  return reach;
}

void check_tensor(const AxesShape& shape, const StridedLayout& tensor) {
  if (tensor.strides.size() != shape.extents.size()) {
    throw PlanError(std::string(tensor.name) + ": found " + std::to_string(tensor.strides.size()) +
                    " strides, accepted: " + std::to_string(shape.extents.size()) +
                    ", one for each axis");
  }
  const Reach reach = reach_of(shape, tensor);
  if (saturating_multiply(saturating_add(reach.before, reach.after), tensor.element_bytes) >
      kMostElements) {
    throw PlanError(std::string(tensor.name) +
                    ": found strides that reach over more than 2^62 bytes");
  }
  if (tensor.address % tensor.alignment != 0) {
    throw SpanError(std::string(tensor.name) + ": found an address that is no multiple of " +
                    std::to_string(tensor.alignment) + ", the alignment of its elements");
  }
}

// The range of addresses that a tensor's bytes lie in, the last byte included.
struct Addresses {
  uintptr_t first;
  uintptr_t last;
};

Addresses addresses_of(const AxesShape& shape, const StridedLayout& tensor) {
  const Reach reach = reach_of(shape, tensor);
  return {tensor.address - reach.before * tensor.element_bytes,
          tensor.address + reach.after * tensor.element_bytes + tensor.element_bytes - 1};
}

// Checks that no two results share an element.
// Requires: the axes are sorted by their strides in the results, the smallest first
void check_results_apart(const std::vector<Axis>& kept) {
  uint64_t reach = 0;
  for (const Axis& axis : kept) {
    if (axis.extent > 1 && magnitude(axis.result_stride) <= reach) {
      throw SpanError("results: found a stride of " + std::to_string(axis.result_stride) +
                      " over " + std::to_string(reach + 1) +
                      " elements of other axes, accepted: strides with which no two results are "
                      "one element");
    }
    reach =
        saturating_add(reach, saturating_multiply(axis.extent - 1, magnitude(axis.result_stride)));
  }
}

// True if the axes `outer` and `inner` can be merged into one axis in every tensor.
bool are_one(const Axis& outer, const Axis& inner) {
  const auto extent = static_cast<int64_t>(inner.extent);
  const auto steps_over = [extent](int64_t of_outer, int64_t of_inner) {
    return of_outer == of_inner * extent;
  };
  bool are = steps_over(outer.result_stride, inner.result_stride);
  for (size_t operand = 0; operand < outer.strides.size(); ++operand) {
    are = are && steps_over(outer.strides[operand], inner.strides[operand]);
  }
  return are;
}

// Merges each run of neighbouring axes for which are_one holds into a single axis.
std::vector<Axis> merged(const std::vector<Axis>& axes) {
  std::vector<Axis> result;
  for (const Axis& axis : axes) {
    if (axis.extent == 1) {
      continue;
    }
    if (!result.empty() && are_one(result.back(), axis)) {
      const uint64_t extent = result.back().extent * axis.extent;
      result.back() = axis;
      result.back().extent = extent;
    } else {
      result.push_back(axis);
    }
  }
  return result;
}

// Sorts axes by their stride in the results, the largest first; equal ones by the sum of the
// operands' strides.
void sort_by_strides(std::vector<Axis>& axes) {
  const auto key = [](const Axis& axis) {
    uint64_t of_operands = 0;
    for (const int64_t stride : axis.strides) {
      of_operands = saturating_add(of_operands, magnitude(stride));
    }
    return std::pair(magnitude(axis.result_stride), of_operands);
  };
  std::stable_sort(axes.begin(), axes.end(),
                   [&](const Axis& a, const Axis& b) { return key(a) > key(b); });
}

}  // namespace

uint64_t MergedAxes::result_count() const {
  return count_of(kept);
}
uint64_t MergedAxes::reduced_count() const {
  return count_of(reduced);
}

MergedAxes merge_axes(const AxesShape& shape, const StridedLayout& results,
                      std::span<const StridedLayout> operands, bool reorders) {
  check_shape(shape);
  if (operands.empty() || operands.size() > static_cast<size_t>(kMostOperands)) {
    throw PlanError("operands: found " + std::to_string(operands.size()) + ", accepted: 1 to " +
                    std::to_string(kMostOperands));
  }
  check_tensor(shape, results);
  for (const StridedLayout& operand : operands) {
    check_tensor(shape, operand);
  }
  MergedAxes axes;
  axes.operands = static_cast<int>(operands.size());
  for (size_t a = 0; a < shape.extents.size(); ++a) {
    const bool is_reduced =
        std::binary_search(shape.reduced.begin(), shape.reduced.end(), static_cast<int>(a));
    if (is_reduced && results.strides[a] != 0) {
      throw PlanError("results: found a stride of " + std::to_string(results.strides[a]) + " on " +
                      axis_name(a) + ", which is reduced, accepted: 0");
    }
    Axis axis{shape.extents[a], results.strides[a], {}};
    for (size_t operand = 0; operand < operands.size(); ++operand) {
      axis.strides[operand] = operands[operand].strides[a];
    }
    (is_reduced ? axes.reduced : axes.kept).push_back(axis);
  }
  sort_by_strides(axes.kept);
  check_results_apart({axes.kept.rbegin(), axes.kept.rend()});
  const Addresses written = addresses_of(shape, results);
  for (const StridedLayout& operand : operands) {
    const Addresses read = addresses_of(shape, operand);
    if (read.first <= written.last && written.first <= read.last) {
      throw SpanError("results and " + std::string(operand.name) + " overlap");
    }
  }
  if (reorders) {
    sort_by_strides(axes.reduced);
  }
  axes.kept = merged(axes.kept);
  axes.reduced = merged(axes.reduced);
  if (axes.kept.size() > kMostAxes || axes.reduced.size() > kMostAxes) {
    throw PlanError("extents: found " + std::to_string(axes.kept.size()) + " kept and " +
                    std::to_string(axes.reduced.size()) +
                    " reduced axes that do not merge, accepted: " + std::to_string(kMostAxes));
  }
  return axes;
}

}  // namespace presort
