#include "presort/tuner/gpu_search.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "presort/core/error.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/predict/gpu/gpu_simulation.h"

namespace presort::inline v0::tuner {

namespace {

// Plans that differ in one number: sorted bits, or sets of tables.
using Row = std::vector<GpuPlan>;

std::vector<Row> rows_of(const std::vector<GpuPlan>& plans) {
  std::map<std::tuple<bool, GpuStrategy, int, int>, Row> rows;
  for (const GpuPlan& plan : plans) {
    rows[{plan.presort.has_value(), plan.strategy, plan.presort ? plan.presort->passes : 0,
          plan.range_passes}]
        .push_back(plan);
  }
  std::vector<Row> list;
  for (auto& [key, row] : rows) {
    list.push_back(std::move(row));
  }
  return list;
}

void keep_faster(std::optional<SimulatedGpuPlan>& best, const SimulatedGpuPlan& one) {
  if (!best || one.ns_per_input < best->ns_per_input * (1 - gpu::kTieOfPlans)) {
    best = one;
  }
}

}  // namespace

const SimulatedGpuPlan& SimulatedGpuChoice::best() const {
  if (!direct || !presorted) {
    return direct ? *direct : *presorted;
  }
  return presorted->ns_per_input < direct->ns_per_input * (1 - gpu::kTieOfPlans) ? *presorted
                                                                                 : *direct;
}

SimulatedGpuChoice search_gpu_plans(const GpuHardware& hardware, const Problem& problem,
                                    const std::shared_ptr<const LabelSource>& labels,
                                    StopToken stop) {
  SimulatedGpuChoice choice;
  if (!predict::simulates_on_gpu(problem.operation)) {
    // The message of a simulation names the operations that there are.
    predict::simulate_gpu_plan(hardware, problem, {}, labels);
  }
  for (const Row& row : rows_of(gpu::gpu_plans(problem, predict::limits_of(hardware)))) {
    const size_t best = search_valley(row.size(), [&](size_t i) {
      stop.check();
      const double ns = predict::simulate_gpu_plan(hardware, problem, row[i], labels).ns_per_input;
      choice.plans.push_back({row[i], ns});
      return ns;
    });
    const auto found = std::find_if(choice.plans.begin(), choice.plans.end(),
                                    [&](const auto& one) { return one.plan == row[best]; });
    keep_faster(row[best].presort ? choice.presorted : choice.direct, *found);
  }
  if (choice.plans.empty()) {
    throw PlanError("no plan of " + hardware.name + " fits " + to_string(problem));
  }
  return choice;
}

}  // namespace presort::tuner
