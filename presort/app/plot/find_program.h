// Finds a program in the folders of PATH.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace presort::inline v0::app {

// The executable file of this name in the first folder of PATH that has one. Folders that PATH
// names relative to the current one, or by nothing, are passed over: what lies there is a user's
// data.
std::optional<std::string> find_program(std::string_view name);

}  // namespace presort::app
