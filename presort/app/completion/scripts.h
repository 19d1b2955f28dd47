// Scripts that make a shell complete `presort`. They ask `presort completion words WORD…`, so they
// know no option themselves and stay valid when options change.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::app {

std::vector<std::string> completion_shells();

// The completion script of a shell.
// Errors: InputError naming the shells that have one
std::string completion_script(const std::string& shell);

}  // namespace presort::app
