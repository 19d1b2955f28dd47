// The rounds of work that a run gives to its team of threads.
#pragma once

#include <cstdint>

#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::cpu {

// Number of rounds of a run, calls of ThreadTeam::run(), without a check of the labels; 0 for plans
// that one thread runs without a team.
// Requires: check_plan(plan, problem) passes; problem.n > 0
uint64_t team_rounds(const Problem& problem, const CpuPlan& plan);

}  // namespace presort::cpu
