// Plans that group the inputs of a bucket, by thread or by set, and operators that allow it.
#pragma once

#include <string>

#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::cpu {

// Checks an operator against a plan. Errors: PlanError when the plan groups the inputs of a bucket and ⊙
// does not associate
template <class M>
void check_grouping(const CpuPlan& plan) {
  if (associates<M>()) {
    return;
  }
  if (plan.base.strategy == CpuStrategy::privateTables) {
    throw PlanError(
        "strategy: found 'privateTables', accepted: direct; the operator does not associate");
  }
  if (plan.base.n_sets > 1) {
    throw PlanError("nSets: found '" + std::to_string(plan.base.n_sets) +
                    "', accepted: 1; the operator does not associate");
  }
}

}  // namespace presort::cpu
