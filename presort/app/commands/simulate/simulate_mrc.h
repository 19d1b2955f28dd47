// Runs `presort simulate --mrc`: the miss-ratio curve of a trace or of a problem.
#pragma once

#include <vector>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

std::vector<Option> mrc_options();

// Runs the subcommand. Returns an ExitCode as run_simulate_trace does, after printing the curve of
// all accesses that could be read.
// Errors: InputError, also for options that a miss-ratio curve has no use for
int run_simulate_mrc(const Arguments& arguments);

}  // namespace presort::app
