// The plans that `presort run` is asked for.
#pragma once

#include <string>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/core/labels/labels.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/device_scheme.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

struct CpuPlans {
  std::vector<CpuPlan> plans;
  // Text on what disturbed the probe of the machine that a tuned file's plan was made for; "":
  // nothing did, or nothing is known.
  std::string disturbed_probe;
};

// The plans of --plan, in their order, or the plan of the nearest problem in the file of --tuned;
// each with the number of threads of --threads, where it is given.
// Errors: InputError, PlanError when a plan does not fit the problem
CpuPlans cpu_plans_to_run(const Arguments& arguments, const Problem& problem);

// The plans of --plan, or the plan of --tuned; without both options, the plan chosen for the
// current GPU.
// Errors: InputError; EnvironmentError when there is no GPU
std::vector<GpuPlan> gpu_plans_to_run(const Arguments& arguments, const Problem& problem,
                                      const LabelSource& labels);

// The plan of each device and the scheme of a tuned file's entry for several GPUs.
struct TunedSharedPlan {
  GpuPlan plan;
  DeviceScheme scheme = DeviceScheme::tables;
};
// Errors: InputError when the file has no such entry, or is of another GPU; EnvironmentError in a
//         build without CUDA
TunedSharedPlan tuned_shared_plan(const std::string& path, const Problem& problem, int devices,
                                  bool force);

}  // namespace presort::app
