// A plan checked before it runs: an operation that is called with it checks its arguments alone.
//   const cpu::CheckedCpuPlan plan(parse_cpu_plan("sortBits=8"), {Operation::multireduce, n, m});
//   cpu::multireduce(labels, values, sums, Sum<double>{}, plan, scratch, threads);
// A call of another operation, or with other numbers of inputs or buckets, checks the plan again.
#pragma once

#include <cstdint>

#include "presort/core/plan/checked_plan.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::cpu {

struct CpuUse {
  Operation operation = Operation::multireduce;
  uint64_t n = 0;  // number of inputs that the plan is checked for
  uint64_t m = 0;  // number of buckets that the plan is checked for
  bool operator==(const CpuUse&) const = default;
};

// Checks the plan. Errors: PlanError when the plan does not fit the operation on n inputs and m buckets,
// or this
//         processor lacks its instructions
void check_use(const CpuPlan& plan, const CpuUse& use);

using CheckedCpuPlan = CheckedPlan<CpuPlan, CpuUse>;
using CpuPlanArgument = PlanArgument<CpuPlan, CpuUse>;

}  // namespace presort::cpu
