// The phases of a plan, in the order in which the kernels run them.
#pragma once

#include <vector>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/phase_spec.h"

namespace presort::inline v0::cpu {

// The phases of a plan in their order. In a pre-sort of several passes all phases of pass 1 come
// first, then the phases of pass 2 on one of its parts, and so on; the kernels take one part
// through all that follows before they begin the next.
// Requires: check_plan(plan, problem) passes
std::vector<PhaseSpec> list_phases(const Problem& problem, const CpuPlan& plan);

}  // namespace presort::cpu
