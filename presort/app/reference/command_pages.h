// The reference documentation of all subcommands and of the exit codes, made of the option tables.
#pragma once

#include <string>

namespace presort::inline v0::app {

std::string commands_text();
std::string exit_codes_text();

}  // namespace presort::app
