// Families of plans that share work: the time of one plan tells of the others.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::tuner {

// A number for each plan. Two plans have the same number if they differ only in
//   a pre-sort's bits, passes, and the sizes of its buffers and chunks, or
//   a loop's range passes, sets, and the distances at which it fetches.
// A loop is in the family of the pre-sorts with the default layout.
std::vector<size_t> families_of(const std::vector<CpuPlan>& plans);

// The plan that equals plan i but fetches no inputs ahead. Plan i must be a loop that goes over its
// inputs once and fetches them ahead; no value if it is not, or if there is no such plan.
std::optional<size_t> plain_twin(const std::vector<CpuPlan>& plans, size_t i);

}  // namespace presort::tuner
