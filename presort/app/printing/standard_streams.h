// Standard input, output and error as the command finds them.
#pragma once

namespace presort::inline v0::app {

// Call this before anything is opened.
// - Descriptors 0 to 2 are taken, so that no file of ours gets one of these numbers and then what
//   was meant for a stream. In place of a closed stream stands one whose reads (standard input) or
//   writes (output, error) fail.
// - A write to a pipe that nobody reads fails instead of ending the process (SIGPIPE).
// - The end of a child process can be waited for (SIGCHLD), whatever the parent had ignored.
void reserve_standard_streams();

}  // namespace presort::app
