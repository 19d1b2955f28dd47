// The exit codes of the command and their meanings.
#pragma once

#include <string_view>

namespace presort::inline v0::app {

enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,
  kBadInput = 2,
  kBadEnvironment = 3,
  kTooBusy = 4,
  kInterrupted = 130,
};

struct ExitMeaning {
  ExitCode code;
  std::string_view meaning;
  std::string_view when;
};
inline constexpr ExitMeaning kExitMeanings[] = {
    {kDone, "done", "the command did all that was asked"},
    {kCheckFailed, "a check failed",
     "validate is above a limit, a result is wrong, two probes disagree, a label is not below m"},
    {kBadInput, "bad usage or file",
     "an option is wrong, or a file cannot be read, understood or written"},
    {kBadEnvironment, "the environment lacks something",
     "not enough memory or threads, no GPU, no gnuplot for --plot, or standard output cannot be "
     "written"},
    {kTooBusy, "the machine was too busy",
     "with --strict: other programs used the processors, and the figures cannot be believed"},
    {kInterrupted, "interrupted", "SIGINT or SIGTERM; results that were finished are kept"},
};

}  // namespace presort::app
