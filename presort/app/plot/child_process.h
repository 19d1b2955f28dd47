// Runs a program without a shell, so that no text from a user becomes a command line.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0::app {

struct ChildProgram {
  std::string path;
  std::vector<std::string> arguments;    // the program's arguments, without the program's name
  std::vector<std::string> environment;  // the program's whole environment, as NAME=VALUE
};

struct ChildLimits {
  std::chrono::milliseconds time{60'000};
  size_t output_bytes = size_t{1} << 28;
  // Most bytes kept of standard error; what follows is read and dropped
  size_t error_bytes = size_t{1} << 16;
};

struct ChildResult {
  int exit_code = -1;  // exit code of the program; -1: ended by a signal
  std::string output;
  std::string errors;
};

// Starts the program, hands it `input` on standard input and collects its output, all at the same
// time, in whatever order the program reads and writes. The program need not read its input. It
// starts with the default action for SIGPIPE and only the files of standard input, output and
// error.
// Requires: descriptors 0 to 2 are open (app/printing/standard_streams.h)
// Errors: EnvironmentError when the program cannot be started, or exceeds a limit; it is then
//         killed
ChildResult run_child(const ChildProgram& program, std::string_view input,
                      const ChildLimits& limits = {});

}  // namespace presort::app
