#include "presort/predict/trace/kernel_stream.h"

#include <string>

#include "presort/core/error.h"
#include "presort/cpu/plan/phase_list.h"
#include "presort/predict/phases/phase_inputs.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/phases/simulate_phase.h"
#include "presort/predict/size_limits.h"

namespace presort::inline v0::predict {

void stream_kernel(const Machine& machine, const Problem& problem, const CpuPlan& plan,
                   const std::shared_ptr<const LabelSource>& labels, sim::AccessSink& sink,
                   StopToken stop) {
  check_problem(problem);
  check_predictable(problem);
  check_plan(plan, problem);
  check_simulatable(machine, problem, plan, Extent::full);
  const bool buffered = plan.presort && plan.base.strategy != CpuStrategy::plainRadix;
  if (buffered && plan.presort->passes > 1) {
    throw PlanError("passes: found " + std::to_string(plan.presort->passes) +
                    ", accepted for the accesses of a whole kernel: 1");
  }
  if (plan.resources.threads > 1 || plan.base.strategy == CpuStrategy::privateTables) {
    throw PlanError("plan: found " + to_string(plan) +
                    ", accepted for the accesses of a whole kernel: one thread");
  }
  SimulationOptions options;
  options.full = true;
  options.record = &sink;
  options.record_only = true;
  options.stop = stop;
  const auto simulator = make_phase_simulator(machine, options, problem, plan.resources.page_size);
  const std::vector<cpu::PhaseSpec> phases = cpu::list_phases(problem, plan);
  const PhaseInputs inputs(problem, phases, labels);
  for (const cpu::PhaseSpec& phase : phases) {
    simulate_phase(*simulator, phase, inputs);
  }
}

}  // namespace presort::predict
