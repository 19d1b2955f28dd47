// Finds a program in the folders of PATH.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace presort::inline v0::app {

// Path of the executable file with this name in the first folder of PATH that has one. Folders that
// PATH names relative to the current folder, or by nothing, are passed over: a user's data may lie
// there.
std::optional<std::string> find_program(std::string_view name);

}  // namespace presort::app
