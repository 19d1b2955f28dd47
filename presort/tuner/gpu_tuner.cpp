#include "presort/tuner/gpu_tuner.h"

#include <algorithm>
#include <cmath>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/predict/gpu/gpu_simulation.h"

namespace presort::inline v0::tuner {

namespace {

GpuPrediction predict_on_gpu(const Machine& machine, const Problem& problem, const GpuPlan& plan) {
  const gpu::PlanTime time = gpu::plan_time(*machine.gpu, problem, plan);
  GpuPrediction prediction{.plan = plan, .ns_per_input = time.ns_per_input, .stack_ns = {}};
  for (const gpu::GpuPhase& phase : time.phases) {
    const auto same = std::find_if(prediction.stack_ns.begin(), prediction.stack_ns.end(),
                                   [&](const auto& term) { return term.first == phase.bound; });
    if (same == prediction.stack_ns.end()) {
      prediction.stack_ns.emplace_back(std::string(phase.bound), phase.ns_per_input);
    } else {
      same->second += phase.ns_per_input;
    }
  }
  return prediction;
}

// The fastest plan for which `accept` is true; near a tie the simpler plan; null if there is none.
template <class Accept>
const GpuPrediction* fastest_of(const std::vector<GpuPrediction>& predictions, Accept accept) {
  std::vector<const GpuPrediction*> accepted;
  std::vector<double> times;
  for (const GpuPrediction& one : predictions) {
    if (accept(one.plan)) {
      accepted.push_back(&one);
      times.push_back(one.ns_per_input);
    }
  }
  return accepted.empty() ? nullptr : accepted[gpu::first_of_fastest(times)];
}

bool is_same_decision(const GpuPlan& a, const GpuPlan& b) {
  return a.strategy == b.strategy && a.presort == b.presort;
}

// Bytes of the arrays that every plan reads and writes: labels (a scan and a reduceAxes have none),
// values (a histogram has none) and buckets. Saturates at the largest uint64_t.
uint64_t least_bytes(const Problem& problem) {
  const uint64_t value = size_bytes(problem.types.value);
  const uint64_t read_values = problem.operation == Operation::histogram ? 0 : value;
  const uint64_t label = has_labels(problem.operation) ? size_bytes(problem.types.label) : 0;
  const uint64_t input = label + read_values;
  return saturating_add(saturating_multiply(problem.n, input),
                        saturating_multiply(problem.m, value));
}

// Checks that a problem fits the GPU.
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

// The fastest plan and the next one, if that is near: the candidates of a choice. `best` alone otherwise.
std::vector<GpuPrediction*> near_best(std::vector<GpuPrediction>& predictions,
                                      const GpuPrediction* best) {
  GpuPrediction* first = nullptr;
  GpuPrediction* second = nullptr;
  for (GpuPrediction& one : predictions) {
    if (&one == best) {
      first = &one;
    } else if (one.ns_per_input <= kGpuNearPlans * best->ns_per_input &&
               (second == nullptr || one.ns_per_input < second->ns_per_input)) {
      second = &one;
    }
  }
  return second == nullptr ? std::vector{first} : std::vector{first, second};
}

// Simulates a plan and takes the geometric mean of both times.
void simulate(GpuPrediction& prediction, const GpuHardware& hardware, const Problem& problem,
              const std::shared_ptr<const LabelSource>& labels) {
  const double simulated =
      predict::simulate_gpu_plan(hardware, problem, prediction.plan, labels).ns_per_input;
  const double factor = std::sqrt(simulated / prediction.ns_per_input);
  prediction.ns_per_input *= factor;
  for (auto& [resource, ns] : prediction.stack_ns) {
    ns *= factor;
  }
  prediction.is_simulated = true;
}

// True if plans of a problem can be simulated on a machine.
bool can_simulate(const Machine& machine, const Problem& problem,
                  const std::vector<GpuPrediction*>& plans) {
  return machine.gpu_hardware && predict::simulates_on_gpu(problem.operation) &&
         std::ranges::all_of(plans, [&](const GpuPrediction* one) {
           return gpu::runs_on(problem, one->plan, predict::limits_of(*machine.gpu_hardware));
         });
}

}  // namespace

GpuChoice choose_gpu_plan(const Machine& machine, const Problem& problem,
                          const std::shared_ptr<const LabelSource>& labels, StopToken stop) {
  if (!machine.gpu) {
    throw InputError(machine.name + ": no section gpu; presort probe --gpu measures it");
  }
  check_fits(*machine.gpu, problem);
  GpuChoice choice;
  for (const GpuPlan& plan : gpu::gpu_plans(problem, gpu::limits_of(*machine.gpu))) {
    choice.predictions.push_back(predict_on_gpu(machine, problem, plan));
  }
  const auto any = [](const GpuPlan&) { return true; };
  const auto unsorted = [](const GpuPlan& plan) { return !plan.presort; };
  const auto sorted = [](const GpuPlan& plan) { return plan.presort.has_value(); };
  const GpuPrediction* best = fastest_of(choice.predictions, any);
  const GpuPrediction* direct = fastest_of(choice.predictions, unsorted);
  const GpuPrediction* presorted = fastest_of(choice.predictions, sorted);
  if (!best) {
    throw PlanError("no plan of " + machine.gpu->name + " fits " + to_string(problem));
  }
  if (const std::vector<GpuPrediction*> near = near_best(choice.predictions, best);
      labels && near.size() > 1 && can_simulate(machine, problem, near)) {
    for (GpuPrediction* one : near) {
      stop.check();
      simulate(*one, *machine.gpu_hardware, problem, labels);
    }
    best = near[gpu::first_of_fastest({near[0]->ns_per_input, near[1]->ns_per_input})];
    direct = best->plan.presort ? fastest_of(choice.predictions, unsorted) : best;
    presorted = best->plan.presort ? best : fastest_of(choice.predictions, sorted);
  }
  direct = direct ? direct : best;  // scans over many buckets only have plans with a pre-sort
  const GpuPrediction* second = fastest_of(choice.predictions, [best](const GpuPlan& plan) {
    return !is_same_decision(plan, best->plan);
  });
  second = second ? second : best;
  GpuTunedEntry& entry = choice.entry;
  entry.origin = best->is_simulated ? Origin::simulation : Origin::model;
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
