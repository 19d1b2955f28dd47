// What the command's exit status means.
#pragma once

namespace presort::inline v0::app {

enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,     // validate above a limit, a run whose result is wrong, a bad label
  kBadInput = 2,        // usage, or a file that cannot be read, understood or written
  kBadEnvironment = 3,  // not enough memory, no GPU, standard output cannot be written
  kTooBusy = 4,         // with --strict: the machine was too busy for the figures to be believed
  kInterrupted = 130,   // SIGINT; partial results are kept
};

}  // namespace presort::app
