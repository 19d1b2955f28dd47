// Options that `validate` and `validate --loops` share.
#pragma once

#include <optional>
#include <string>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// Reads --reps: an even number from 4 to 1000. Without it, `usual`, or 4 with --quick.
// Errors: InputError
int read_reps(const Arguments& arguments, int usual);

// The ratio after an option like --max-median-error.
std::optional<double> read_limit(const Arguments& arguments, const std::string& name);

// Refuses to replace a recording by its replay, which has less: no samples of other plans, nor what
// an interrupted replay did not reach.
// Errors: InputError when FOLDER/NAME is the recording
void refuse_to_overwrite(const std::string& recording, const std::string& folder,
                         const std::string& name);

// False, with a message on stderr, when `found` is above the limit.
bool within_limit(const char* what, double found, std::optional<double> limit);

}  // namespace presort::app
