// The plans that are predicted first: those whose times bound the times of others.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

struct FirstPlan {
  size_t plan = 0;                      // index of the plan in the list
  PhaseKind until = PhaseKind::update;  // phase to know before the plan may be given up
};

// The plans to begin with: loops that go over the inputs once, except those that differ from
// another only by fetching inputs ahead (plain_twin); then three pre-sorts of each family
// (plan_families.h), with as few passes as possible:
//   a middle number of bits       likely near the best: a first upper bound
//   most bits                     bounds what updating parts takes (phase_bounds.h)
//   fewest bits, largest buffers  bounds what counting and passes take
std::vector<FirstPlan> plans_to_begin_with(const std::vector<CpuPlan>& plans);

}  // namespace presort::tuner
