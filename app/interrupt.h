// SIGINT. At first it ends the process with exit code 130; a command with partial results worth
// keeping takes it over and looks at interrupted() between steps. A second SIGINT always ends it.
#pragma once

namespace presort::app {

// Installs the handler; SIGINT ends the process.
void exit_on_interrupt();

// From now on the first SIGINT only sets interrupted().
void defer_interrupt();

bool interrupted();

}  // namespace presort::app
