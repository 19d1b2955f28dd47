// presort run on files that memory need not hold: what `run --memory` does.
#pragma once

#include <vector>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// The options of run that belong to files: --values, --memory, --file-plan, --spill, --output.
std::vector<Option> run_file_options();

// True if the options ask for a run on files.
bool runs_on_files(const Arguments& arguments);

// Runs the operation on files, prints its times and returns the exit code.
// Errors: InputError, also for options of runs in memory; those of external::run_external
int run_on_files(const Arguments& arguments);

}  // namespace presort::app
