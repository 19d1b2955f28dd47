// Tells which instruction sets this processor and system have.
#pragma once

#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::cpu {

bool has_isa(Isa isa);
Isa widest_isa();

// Checks the instruction set of a plan. Errors: PlanError when the processor lacks an instruction set
// that the plan asks for
void check_isa(const CpuPlan& plan);

}  // namespace presort::cpu
