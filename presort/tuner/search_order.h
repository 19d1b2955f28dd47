// Which plans are predicted first: those whose times bound what the others take.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

struct FirstPlan {
  size_t plan = 0;                      // index of the plan in the list
  PhaseKind until = PhaseKind::update;  // not given up before one of these phases is known
};

// The plans to begin with: loops that go over the inputs once, but those that differ from
// another by fetching inputs ahead (plain_twin), then three pre-sorts of each family
// (plan_families.h), with as few passes as there are:
//   a middle number of bits       likely near the best: a first upper bound
//   most bits                     bounds what updating parts takes (phase_bounds.h)
//   fewest bits, largest buffers  bounds what counting and passes take, and is known until then
std::vector<FirstPlan> plans_to_begin_with(const std::vector<CpuPlan>& plans);

}  // namespace presort::tuner
