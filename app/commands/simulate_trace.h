// simulate --trace: the options and the run.
#pragma once

#include <vector>

#include "app/options.h"

namespace presort::app {

// Those that only a trace has; --record, -m, --dependent, --seed, --json, -q are of both.
std::vector<Option> trace_options();

// Errors: InputError, also for options that only a problem has. Returns an ExitCode: 2 when the
//         trace could be read in part only, whose results are printed all the same
int run_simulate_trace(const Arguments& arguments);

}  // namespace presort::app
