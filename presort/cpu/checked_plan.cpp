#include "presort/cpu/checked_plan.h"

#include "presort/cpu/memory/isa.h"

namespace presort::inline v0::cpu {

void check_use(const CpuPlan& plan, const CpuUse& use) {
  Problem problem;
  problem.operation = use.operation;
  problem.n = use.n;
  problem.m = use.m;
  check_plan(plan, problem);
  check_isa(plan);
}

}  // namespace presort::cpu
