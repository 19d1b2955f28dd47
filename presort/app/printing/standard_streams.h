// Prepares standard input, output and error, which the caller of the command may have closed.
#pragma once

namespace presort::inline v0::app {

// Call this before any file is opened. Afterwards:
// - Descriptors 0 to 2 are taken, so that no file of the command gets one of them and then the text
// meant for a stream. A closed stream is replaced by one whose reads (standard input) or writes
// (output, error) fail.
// - A write to a pipe that nobody reads fails instead of ending the process (SIGPIPE).
// - The end of a child process can be waited for (SIGCHLD), whatever the parent had ignored.
void reserve_standard_streams();

}  // namespace presort::app
