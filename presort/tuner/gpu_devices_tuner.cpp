#include "presort/tuner/gpu_devices_tuner.h"

#include <algorithm>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::tuner {
namespace {

// Checks that a device has memory for its share of the inputs and buckets.
// Errors: InputError
void check_share_fits(const Gpu& gpu, const Problem& problem, int devices) {
  const auto count = static_cast<uint64_t>(devices);
  const uint64_t value = size_bytes(problem.types.value);
  const uint64_t input =
      size_bytes(problem.types.label) + (problem.operation == Operation::histogram ? 0 : value);
  const uint64_t bytes = saturating_add(saturating_multiply(problem.n / count, input),
                                        saturating_multiply(problem.m / count, value));
  if (bytes > gpu.memory_bytes) {
    throw InputError("n, m: found " + format_count(problem.n) + " inputs and " +
                     format_count(problem.m) + " buckets of " + to_string(problem.types) +
                     ", accepted: arrays of at most " + format_bytes(gpu.memory_bytes) +
                     " on each of " + std::to_string(devices) + " devices, the memory of " +
                     gpu.name);
  }
}

// The fastest way for which `accept` is true, near a tie the one that comes first; null: none.
template <class Accept>
const gpu::SharedPlan* fastest_of(const std::vector<gpu::SharedPlan>& plans, const Accept& accept) {
  const gpu::SharedPlan* best = nullptr;
  for (const gpu::SharedPlan& plan : plans) {
    if (accept(plan) && (!best || plan.ns < best->ns)) {
      best = &plan;
    }
  }
  return best;
}

}  // namespace

gpu::DeviceLink require_link(const Machine& machine) {
  if (!machine.gpu) {
    throw InputError(machine.name + ": no section gpu; presort probe --gpu measures it");
  }
  if (machine.gpu->link_bandwidth <= 0) {
    throw InputError(machine.name +
                     ": gpu.linkBandwidth: found none, accepted: the bandwidth between devices; "
                     "presort probe --gpu measures it on a host with several GPUs");
  }
  return gpu::link_of(*machine.gpu);
}

std::vector<gpu::SharedPlan> predict_shared_plans(const Machine& machine, const Problem& problem,
                                                  int devices) {
  const gpu::DeviceLink link = require_link(machine);
  check_share_fits(*machine.gpu, problem, devices);
  return gpu::shared_plans(*machine.gpu, link, problem, devices);
}

GpuChoice choose_shared_gpu_plan(const Machine& machine, const Problem& problem, int devices) {
  const std::vector<gpu::SharedPlan> plans = predict_shared_plans(machine, problem, devices);
  const auto n = static_cast<double>(problem.n);
  const gpu::SharedPlan& best = gpu::best_shared_plan(plans);
  const auto or_best = [&best](const gpu::SharedPlan* found) { return found ? found : &best; };
  const gpu::SharedPlan* direct =
      best.plan.presort
          ? or_best(fastest_of(plans, [](const gpu::SharedPlan& one) { return !one.plan.presort; }))
          : &best;
  const gpu::SharedPlan* second = or_best(
      fastest_of(plans, [&best](const gpu::SharedPlan& one) { return one.scheme != best.scheme; }));
  GpuChoice choice;
  for (const gpu::SharedPlan& one : plans) {
    choice.predictions.push_back(
        {.plan = one.plan, .ns_per_input = one.ns / n, .scheme = one.scheme, .stack_ns = {}});
  }
  GpuTunedEntry& entry = choice.entry;
  entry.origin = Origin::model;
  entry.problem = problem;
  entry.plan = best.plan;
  entry.predicted_ns_per_input = best.ns / n;
  entry.direct_plan = direct->plan;
  entry.direct_ns_per_input = direct->ns / n;
  entry.runner_up = second->plan;
  entry.runner_up_ns_per_input = second->ns / n;
  entry.matters = second->ns > gpu::kClearGain * best.ns;
  entry.shared = {devices, best.scheme, direct->scheme, second->scheme};
  return choice;
}

}  // namespace presort::tuner
