// simulate --mrc: the options and the run, of a trace or of a problem.
#pragma once

#include <vector>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

std::vector<Option> mrc_options();

// Errors: InputError, also for options that a miss-ratio curve has no use for. Returns an ExitCode
//         as run_simulate_trace does, after printing the curve of what was read
int run_simulate_mrc(const Arguments& arguments);

}  // namespace presort::app
