// Candidates for an option's value: names of tables, keys of plans, machines, paths.
#pragma once

#include <span>
#include <string>

#include "presort/app/completion/candidates.h"

namespace presort::inline v0::app {

// Completes an option's value that begins with `begun`; the candidates are whole values and may
// begin otherwise. `words`: the words of the command line, in which --device decides the keys of
// --plan.
Completion values_of(const Option& option, const std::string& begun,
                     std::span<const std::string> words);

}  // namespace presort::app
