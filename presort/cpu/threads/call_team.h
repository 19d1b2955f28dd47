// The threads of one call of an operation, whose number the plan gives.
#pragma once

#include <cstddef>
#include <string>

#include "presort/core/error.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::cpu {

// Number of threads to start for a call on n inputs; without inputs none are started.
inline size_t team_size(const CpuPlan& plan, size_t n) {
  return n == 0 ? 1 : static_cast<size_t>(plan.resources.threads);
}

// Checks the team of a call. Errors: PlanError when a team's number of threads is not the plan's
inline void check_team(const CpuPlan& plan, const ThreadTeam& threads) {
  if (threads.size() != static_cast<size_t>(plan.resources.threads)) {
    throw PlanError("threads: found '" + std::to_string(plan.resources.threads) +
                    "', accepted: " + std::to_string(threads.size()) + ", those of the team");
  }
}

}  // namespace presort::cpu
