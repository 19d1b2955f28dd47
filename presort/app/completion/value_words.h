// Candidates for an option's value: names of tables, keys of plans, machines, paths.
#pragma once

#include <span>
#include <string>

#include "presort/app/completion/candidates.h"

namespace presort::inline v0::app {

// Completes a value that begins with `begun`; candidates are whole values and may begin otherwise.
// `words`: those of the subcommand, for --device, which decides the keys of --plan.
Completion values_of(const Option& option, const std::string& begun,
                     std::span<const std::string> words);

}  // namespace presort::app
