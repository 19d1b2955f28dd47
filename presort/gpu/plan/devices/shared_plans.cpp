#include "presort/gpu/plan/devices/shared_plans.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "presort/core/error.h"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu {
namespace {

constexpr Operation kShared[] = {Operation::multireduce, Operation::multireduceInOrder,
                                 Operation::histogram, Operation::scatter, Operation::gather};

// Most inputs of a device whose labels are pre-sorted in one go (gpu/multireduce.cuh).
constexpr uint64_t kMostInputsOfRounds = uint64_t{1} << 31;

bool may_round(const Problem& of_device) {
  return (of_device.operation == Operation::multireduce ||
          of_device.operation == Operation::histogram) &&
         of_device.n <= kMostInputsOfRounds;
}

}  // namespace

void check_shared_problem(const Problem& problem) {
  if (std::ranges::find(kShared, problem.operation) == std::end(kShared)) {
    std::string accepted;
    for (const Operation known : kShared) {
      accepted += (accepted.empty() ? "" : ", ") + to_name(kOperations, known);
    }
    throw PlanError("op: found '" + to_name(kOperations, problem.operation) +
                    "', accepted: " + accepted + " on several devices");
  }
  if (size_bytes(problem.types.label) < 4) {
    throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.label) +
                    "' for labels, accepted: u32, u64 on several devices");
  }
}

bool call_takes_plan(Operation operation, DeviceScheme scheme) {
  return scheme != DeviceScheme::inputs &&
         (operation == Operation::multireduce || operation == Operation::multireduceInOrder ||
          operation == Operation::histogram);
}

bool rounds_fit_evenly(const GpuPlan& plan, uint64_t m, int devices) {
  if (!plan.presort || plan.strategy != GpuStrategy::sharedSets) {
    return false;
  }
  const int shift = label_bits(m) - plan.presort->sort_bits;
  if (shift < 0) {
    return false;
  }
  const auto count = static_cast<uint64_t>(devices);
  const uint64_t range = m / count + (m % count != 0 ? 1 : 0);
  for (uint64_t d = 1; d < count && d * range < m; ++d) {
    if (d * range % (uint64_t{1} << shift) != 0) {
      return false;
    }
  }
  return true;
}

std::vector<SharedPlan> shared_plans(const Gpu& gpu, const DeviceLink& link, const Problem& problem,
                                     int devices) {
  check_shared_problem(problem);
  const auto count = static_cast<uint64_t>(devices);
  DevicesProblem shared;
  shared.problem = problem;
  shared.problem.n = problem.n / count + (problem.n % count != 0 ? 1 : 0);
  shared.devices = devices;
  Problem of_owner = shared.problem;
  of_owner.m = problem.m / count + (problem.m % count != 0 ? 1 : 0);
  shared.plan_of_owner = choose_plan(gpu, of_owner);
  std::vector<SharedPlan> plans;
  const auto add = [&](DeviceScheme scheme, const GpuPlan& plan) {
    const double ns = scheme_ns(gpu, link, shared, scheme);
    if (std::isfinite(ns)) {
      plans.push_back({scheme, plan, ns});
    }
  };
  const std::vector<GpuPlan> listed = call_takes_plan(problem.operation, DeviceScheme::tables)
                                          ? gpu_plans(shared.problem, limits_of(gpu))
                                          : std::vector{choose_plan(gpu, shared.problem)};
  for (const GpuPlan& plan : listed) {
    shared.plan = plan;
    shared.fits_rounds = may_round(shared.problem) && rounds_fit_evenly(plan, problem.m, devices);
    add(DeviceScheme::tables, plan);
    if (shared.fits_rounds) {
      add(DeviceScheme::rounds, plan);
    }
  }
  add(DeviceScheme::inputs, shared.plan_of_owner);
  if (plans.empty()) {
    throw PlanError("no plan of " + gpu.name + " fits " + to_string(problem));
  }
  return plans;
}

const SharedPlan* best_of_scheme(const std::vector<SharedPlan>& plans, DeviceScheme scheme) {
  std::vector<const SharedPlan*> alike;
  std::vector<double> times;
  for (const SharedPlan& plan : plans) {
    if (plan.scheme == scheme) {
      alike.push_back(&plan);
      times.push_back(plan.ns);
    }
  }
  return alike.empty() ? nullptr : alike[first_of_fastest(times)];
}

const SharedPlan& best_shared_plan(const std::vector<SharedPlan>& plans) {
  const SharedPlan* best = best_of_scheme(plans, DeviceScheme::tables);
  for (const DeviceScheme scheme : {DeviceScheme::inputs, DeviceScheme::rounds}) {
    const SharedPlan* other = best_of_scheme(plans, scheme);
    const double clear = scheme == DeviceScheme::rounds ? kClearGain : 1;
    if (other && (!best || other->ns * clear < best->ns)) {
      best = other;
    }
  }
  return *best;
}

}  // namespace presort::gpu
