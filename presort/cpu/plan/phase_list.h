// The phases of a plan, in the order in which the kernels run them.
#pragma once

#include <vector>

#include "presort/core/plan/plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/phase_spec.h"

namespace presort::inline v0::cpu {

// Of a pre-sort in several passes, all phases of pass 1 come first, then those of pass 2 on one of
// its parts, …; the kernels take one part through all that follows before they begin the next.
// Requires: check_plan(plan, problem) passes
std::vector<PhaseSpec> list_phases(const Problem& problem, const Plan& plan);

}  // namespace presort::cpu
