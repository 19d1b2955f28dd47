// simulate --trace A --trace B …, or --copies: several traces at once, each on a core of its own.
#pragma once

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// True if --trace and --copies ask for several traces.
// Errors: InputError when the options --trace, --copies and --processes contradict each other
bool several_traces(const Arguments& arguments);

// Simulates several traces. Returns an ExitCode: 2 when only a part of a trace could be read; the
// results of that part and of the other traces are printed all the same.
// Errors: InputError
int run_simulate_traces(const Arguments& arguments);

}  // namespace presort::app
