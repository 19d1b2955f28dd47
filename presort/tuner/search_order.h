// The plans that are predicted first: those whose times bound the times of others.
#pragma once

#include <cstddef>
#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::tuner {

struct FirstPlan {
  size_t plan = 0;                      // index in the list of plans
  PhaseKind until = PhaseKind::update;  // phase to predict before the plan may be given up
};

// The plans that are predicted first. Loops that go over the inputs once come first, except those
// that differ from another only by fetching inputs ahead (plain_twin). Then come three pre-sorts of
// each family (plan_families.h), with as few passes as possible:
// a middle number of bits       likely near the best: a first upper bound
// most bits                     bounds the time of updating parts (phase_bounds.h)
// fewest bits, largest buffers  bounds the times of counting and passes
std::vector<FirstPlan> plans_to_begin_with(const std::vector<CpuPlan>& plans);

}  // namespace presort::tuner
