// SIGINT and SIGTERM. At first they end the process with exit code 130; a command with partial
// results worth keeping takes them over and looks at interrupted() between steps. A second one
// always ends it.
#pragma once

namespace presort::app {

// Installs the handler; the signals end the process.
void exit_on_interrupt();

// From now on the first of them only sets interrupted().
void defer_interrupt();

bool interrupted();

}  // namespace presort::app
