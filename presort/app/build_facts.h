// How this program was built, for `presort --version`.
#pragma once

#include <string>

namespace presort::inline v0::app {

// One line for each fact: compiler, build type and flags, CUDA, and the commit where it is known.
std::string build_facts();

// Version and commit in one line, "0.1.0 abc1234": programs that work together must agree on it.
std::string build_identity();

}  // namespace presort::app
