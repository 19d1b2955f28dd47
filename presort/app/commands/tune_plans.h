// The plans of `tune`: those that its options let the tuner choose from.
#pragma once

#include "presort/app/cli/options.h"
#include "presort/core/machine/machine.h"
#include "presort/tuner/plan_space.h"

namespace presort::inline v0::app {

// Reads --threads, --page-size, --plans and --require. Listed plans of more threads than the machine
// has cores are left out, which a line on stderr says.
// Errors: InputError
tuner::PlanSpace read_tune_plans(const Arguments& arguments, const Machine& machine);

}  // namespace presort::app
