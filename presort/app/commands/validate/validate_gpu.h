// Runs `presort validate --device gpu`: predictions of GPU plans against measured times.
#pragma once

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// Runs the subcommand. Returns an ExitCode.
// Errors: InputError for a machine without a GPU, and for options of a processor; EnvironmentError for
//         --draw without a GPU
int run_validate_gpu(const Arguments& arguments);

}  // namespace presort::app
