// Runs `presort simulate --device gpu`: the time of a plan on a GPU, from simulated warps.
#pragma once

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// Runs the subcommand. Returns an ExitCode.
// Errors: InputError for a machine without the section gpuHardware, and for options of a processor;
//         PlanError for operations that are not simulated and plans that do not fit
int run_simulate_gpu(const Arguments& arguments);

}  // namespace presort::app
