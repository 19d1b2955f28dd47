// Options that `validate` and `validate --loops` share.
#pragma once

#include <optional>
#include <string>

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// --reps: an even number of 4 to 1000; without it `usual`, and with --quick 4.
// Errors: InputError
int read_reps(const Arguments& arguments, int usual);

// The ratio after an option like --max-median-error.
std::optional<double> read_limit(const Arguments& arguments, const std::string& name);

// A replay leaves its recording as it is, which has more than the replay of it: samples of other
// plans, and what an interrupted replay did not reach.
// Errors: InputError when FOLDER/NAME is the recording
void refuse_to_overwrite(const std::string& recording, const std::string& folder,
                         const std::string& name);

// False, with a message on stderr, when `found` is above the limit.
bool within_limit(const char* what, double found, std::optional<double> limit);

}  // namespace presort::app
