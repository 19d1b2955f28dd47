// simulate --trace: the options and the run.
#pragma once

#include <string>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/app/trace/trace_simulation.h"
#include "presort/sim/trace/trace_formats.h"

namespace presort::inline v0::app {

// Options of traces alone. Problems and traces share --record, -m, --dependent, --seed, --json, -q.
std::vector<Option> trace_options();

// Refuses options of the other mode: those of problems for a trace, or those of traces for a
// problem. Errors: InputError naming the option
void refuse_problem_options(const Arguments& arguments);
void refuse_trace_options(const Arguments& arguments);

// Functions shared by simulating one trace and several (app/commands/simulate_traces.h).
TraceSimulationOptions trace_simulation_options(const Arguments& arguments);
// Opens a trace as --format and --instructions say; says on stderr how a format was guessed.
// Errors: InputError when it cannot be opened
sim::OpenedTrace open_given_trace(const Arguments& arguments, const std::string& path);

// Errors of a trace: InputError, also for options that only a problem has. Returns an ExitCode: 2 when the
//         trace could be read in part only, whose results are printed all the same
int run_simulate_trace(const Arguments& arguments);

}  // namespace presort::app
