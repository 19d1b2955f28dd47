// Options that `validate` and `validate --loops` share.
#pragma once

#include <optional>
#include <string>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// Reads --reps: an even number from 4 to 1000. Without the option, `usual`, or 4 with --quick.
// Errors: InputError
int read_reps(const Arguments& arguments, int usual);

// The ratio given by an option like --max-median-error; no value without the option.
std::optional<double> read_limit(const Arguments& arguments, const std::string& name);

// Refuses to replace a recording by its replay, which has less: it lacks the times of other plans,
// and what an interrupted replay did not reach.
// Errors: InputError when FOLDER/NAME is the recording
void refuse_to_overwrite(const std::string& recording, const std::string& folder,
                         const std::string& name);

// False, with a message on stderr that names `what`, when `found` is above the limit.
bool within_limit(const char* what, double found, std::optional<double> limit);

}  // namespace presort::app
