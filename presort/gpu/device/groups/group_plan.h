// How a group-by on a GPU is done: by how many top bits of the hashes of keys inputs are
// partitioned first. Every plan gives the same groups; it is a matter of time. No CUDA types.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "presort/core/choice/group_estimate.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/gpu/detail/digit.h"

namespace presort::inline v0::gpu {

struct GroupPlan {
  int bits = 0;  // 0 to kMaxPartBits; 0: no partition
  bool operator==(const GroupPlan&) const = default;

  // The partition as a plan of the pre-sort. Requires: bits >= 1
  GpuPlan partition() const {
    GpuPlan plan;
    plan.presort = GpuPresort{.sort_bits = bits, .passes = bits > kMaxDigitBits ? 2 : 1};
    return plan;
  }
};

// The plan for n inputs of so many groups, and tables of `slots` places: no partition where a table
// holds all groups; else parts whose groups fill their tables by kFill at most, and as many parts
// as keep all multiprocessors busy, if those have kFewestInputsOfPart inputs.
inline GroupPlan choose_group_plan(uint64_t n, double groups, uint32_t slots) {
  constexpr double kFillAlone =
      0.4;  // of all groups in each block's table, which is joined at the end
  constexpr double kFill = 0.6;
  constexpr int kBitsOfManyParts = 9;
  constexpr uint64_t kFewestInputsOfPart = 8192;
  if (groups <= kFillAlone * slots || n <= slots / 2) {
    return {};
  }
  const double parts = groups / (kFill * slots);
  const int for_tables = parts <= 1 ? 0 : static_cast<int>(std::ceil(std::log2(parts)));
  const int for_balance =
      std::min(kBitsOfManyParts, static_cast<int>(std::bit_width(n / kFewestInputsOfPart + 1)) - 1);
  return {std::clamp(std::max(for_tables, for_balance), 1, kMaxPartBits)};
}

}  // namespace presort::gpu
