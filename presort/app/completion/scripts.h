// Scripts that make a shell complete `presort`. They ask `presort completion words WORD…`, so they
// know no option themselves and stay valid when options change.
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::app {

std::vector<std::string> completion_shells();

// Errors: InputError naming the shells there are
std::string completion_script(const std::string& shell);

}  // namespace presort::app
