#include "presort/predict/gpu/gpu_simulation.h"

#include <chrono>

#include "presort/core/error.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/predict/gpu/plan_simulation.h"

namespace presort::inline v0::predict {

gpu::DeviceLimits limits_of(const GpuHardware& hardware) {
  return {.multiprocessors = hardware.multiprocessors,
          .shared_bytes_of_block = hardware.shared_bytes_of_block,
          .shared_bytes_of_multiprocessor = hardware.shared.size_bytes,
          .threads_of_multiprocessor = hardware.warps_of_multiprocessor * sim::gpu::kWarpLanes};
}

bool simulates_on_gpu(Operation operation) {
  return operation == Operation::multireduce || operation == Operation::histogram ||
         operation == Operation::scatter || operation == Operation::gather ||
         operation == Operation::partialSort;
}

GpuPrediction simulate_gpu_plan(const GpuHardware& hardware, const Problem& problem,
                                const GpuPlan& plan,
                                const std::shared_ptr<const LabelSource>& labels) {
  if (!simulates_on_gpu(problem.operation)) {
    throw PlanError("--op: found '" + to_name(kOperations, problem.operation) +
                    "', accepted: multireduce, histogram, scatter, gather, partialSort (a "
                    "simulation of device gpu)");
  }
  gpu::check_gpu_problem(problem, plan, limits_of(hardware));
  const auto begin = std::chrono::steady_clock::now();
  GpuPrediction prediction;
  prediction.machine = hardware.name;
  prediction.problem = problem;
  prediction.plan = plan;
  PlanSimulation simulation(hardware, problem, plan, labels);
  prediction.phases = simulation.phases();
  prediction.simulated_inputs = simulation.simulated_inputs();
  for (const GpuPhasePrediction& phase : prediction.phases) {
    prediction.ns_per_input += phase.ns_per_input;
  }
  prediction.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return prediction;
}

}  // namespace presort::predict
