#include "presort/tuner/gpu_tuner.h"

#include <algorithm>
#include <cmath>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::tuner {

namespace {

Prediction predict_on_gpu(const Machine& machine, const Problem& problem, const Plan& plan) {
  const gpu::PlanTime time = gpu::plan_time(*machine.gpu, problem, plan);
  Prediction prediction;
  prediction.problem = problem;
  prediction.plan = plan;
  prediction.machine = machine.name;
  prediction.ns_per_input = time.ns_per_input;
  for (const gpu::GpuPhase& phase : time.phases) {
    prediction.phases.push_back(
        {phase.name, phase.ns_per_input, {{phase.bound, phase.ns_per_input}}});
    const auto same = std::find_if(prediction.stack_ns.begin(), prediction.stack_ns.end(),
                                   [&](const auto& term) { return term.first == phase.bound; });
    if (same == prediction.stack_ns.end()) {
      prediction.stack_ns.emplace_back(phase.bound, phase.ns_per_input);
    } else {
      same->second += phase.ns_per_input;
    }
  }
  return prediction;
}

// The fastest of those that `accept`, a simpler one near a tie; null if there is none.
template <class Accept>
const Prediction* fastest_of(const std::vector<Prediction>& predictions, Accept accept) {
  std::vector<const Prediction*> accepted;
  std::vector<double> times;
  for (const Prediction& one : predictions) {
    if (accept(one.plan)) {
      accepted.push_back(&one);
      times.push_back(one.ns_per_input);
    }
  }
  return accepted.empty() ? nullptr : accepted[gpu::first_of_fastest(times)];
}

bool is_same_decision(const Plan& a, const Plan& b) {
  return a.base.strategy == b.base.strategy && a.presort == b.presort;
}

// Bytes of what every plan reads and writes: the labels, the values but of a histogram, and the
// buckets. Saturates.
uint64_t least_bytes(const Problem& problem) {
  const uint64_t value = size_bytes(problem.types.value);
  const uint64_t read_values = problem.operation == Operation::histogram ? 0 : value;
  const uint64_t input = size_bytes(problem.types.label) + read_values;
  return saturating_add(saturating_multiply(problem.n, input),
                        saturating_multiply(problem.m, value));
}

// Errors: InputError for arrays that are larger than the GPU's memory
void check_fits(const Gpu& gpu, const Problem& problem) {
  const uint64_t bytes = least_bytes(problem);
  if (bytes > gpu.memory_bytes) {
    throw InputError("n, m: found " + format_count(problem.n) + " inputs and " +
                     format_count(problem.m) + " buckets of " + to_string(problem.types) +
                     ", accepted: arrays of at most " + format_bytes(gpu.memory_bytes) +
                     ", the memory of " + gpu.name);
  }
}

}  // namespace

Choice choose_gpu_plan(const Machine& machine, const Problem& problem) {
  if (!machine.gpu) {
    throw InputError(machine.name + ": no section gpu; presort probe --gpu measures it");
  }
  check_fits(*machine.gpu, problem);
  Choice choice;
  for (const Plan& plan : gpu::gpu_plans(problem, gpu::limits_of(*machine.gpu))) {
    choice.predictions.push_back(predict_on_gpu(machine, problem, plan));
  }
  choice.origins.assign(choice.predictions.size(), Origin::model);
  choice.may_be_chosen.assign(choice.predictions.size(), true);
  const auto any = [](const Plan&) { return true; };
  const auto unsorted = [](const Plan& plan) { return !plan.presort; };
  const auto sorted = [](const Plan& plan) { return plan.presort.has_value(); };
  const Prediction* best = fastest_of(choice.predictions, any);
  const Prediction* direct = fastest_of(choice.predictions, unsorted);
  const Prediction* presorted = fastest_of(choice.predictions, sorted);
  if (!best || !direct) {
    throw PlanError("no plan of " + machine.gpu->name + " fits " + to_string(problem));
  }
  const Prediction* second = fastest_of(
      choice.predictions, [best](const Plan& plan) { return !is_same_decision(plan, best->plan); });
  second = second ? second : best;
  TunedEntry& entry = choice.entry;
  entry.device = Device::gpu;
  entry.origin = Origin::model;
  entry.problem = problem;
  entry.plan = best->plan;
  entry.predicted_ns_per_input = best->ns_per_input;
  entry.direct_plan = direct->plan;
  entry.direct_ns_per_input = direct->ns_per_input;
  entry.runner_up = second->plan;
  entry.runner_up_ns_per_input = second->ns_per_input;
  entry.matters =
      presorted && std::abs(presorted->ns_per_input / direct->ns_per_input - 1) > kGpuModelError;
  return choice;
}

}  // namespace presort::tuner
