// Runs `presort simulate --trace`: its options and the simulation.
#pragma once

#include <string>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/app/trace/trace_simulation.h"
#include "presort/sim/trace/trace_formats.h"

namespace presort::inline v0::app {

// The options that apply only to traces. Problems and traces share --record, -m, --dependent,
// --seed, --json, -q.
std::vector<Option> trace_options();

// Refuses options of the other mode: those of problems when simulating a trace, or those of traces
// when simulating a problem.
// Errors: InputError naming the option
void refuse_problem_options(const Arguments& arguments);
void refuse_trace_options(const Arguments& arguments);

// Functions shared by simulating one trace and several (app/commands/simulate/simulate_traces.h).
TraceSimulationOptions trace_simulation_options(const Arguments& arguments);
// Opens a trace in the format that --format and --instructions name; if the format was guessed,
// stderr says how.
// Errors: InputError when the trace cannot be opened
sim::OpenedTrace open_given_trace(const Arguments& arguments, const std::string& path);

// Runs the subcommand. Returns an ExitCode: 2 when only a part of the trace could be read; the
// results of that part are printed all the same.
// Errors: InputError, also for options that only a problem has
int run_simulate_trace(const Arguments& arguments);

}  // namespace presort::app
