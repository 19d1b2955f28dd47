// A plan that was checked for one use, so that later calls for the same use need not check it.
// A Use says what a plan is for (cpu/checked_plan.h, gpu/checked_plan.cuh): a value that can be
// compared, with a function check_use(plan, use). Errors of check_use: PlanError saying why the
// plan does not fit
#pragma once

#include <optional>

namespace presort::inline v0 {

template <class Plan, class Use>
class CheckedPlan {
 public:
  // Checks a plan for a use.
  // Errors: those of check_use
  CheckedPlan(const Plan& plan, const Use& use) : plan_(plan), use_(use) { check_use(plan_, use_); }

  // Makes a checked plan without a check, of a plan that was checked for the same use before.
  static CheckedPlan known(const Plan& plan, const Use& use) { return {plan, use, Known{}}; }

  const Plan& plan() const { return plan_; }
  const Use& use() const { return use_; }

 private:
  struct Known {};
  CheckedPlan(const Plan& plan, const Use& use, Known) : plan_(plan), use_(use) {}

  Plan plan_;
  Use use_;
};

// The parameter type for an operation's plan, made implicitly from a plan or a checked plan. It
// refers to that plan: use it for parameters only.
template <class Plan, class Use>
class PlanArgument {
 public:
  PlanArgument(const Plan& plan) : plan_(&plan) {}
  PlanArgument(const CheckedPlan<Plan, Use>& checked)
      : plan_(&checked.plan()), checked_for_(checked.use()) {}

  const Plan& operator*() const { return *plan_; }
  const Plan* operator->() const { return plan_; }

  bool is_checked_for(const Use& use) const { return checked_for_ == use; }

  // Checks the plan for `use`, unless it was checked for the same use before.
  // Errors: those of check_use
  void check_for(const Use& use) {
    if (!is_checked_for(use)) {
      check_use(*plan_, use);
      checked_for_ = use;
    }
  }

 private:
  const Plan* plan_;
  std::optional<Use> checked_for_;
};

}  // namespace presort
