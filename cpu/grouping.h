// Plans that group the inputs of a bucket by thread, and operators that allow it.
#pragma once

#include "core/error.h"
#include "core/monoid.h"
#include "core/plan.h"

namespace presort::cpu {

// Errors: PlanError when the plan groups the inputs of a bucket and ⊙ does not allow that
template <class M>
void check_grouping(const Plan& plan) {
  if (plan.base.strategy == Strategy::privateTables && !associates<M>()) {
    throw PlanError(
        "strategy: found 'privateTables', accepted: direct; the operator does not associate");
  }
}

}  // namespace presort::cpu
