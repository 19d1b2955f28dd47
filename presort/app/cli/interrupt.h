// SIGINT and SIGTERM. By default both end the process with exit code 130. A command with partial
// results worth keeping defers them: it hands interrupt_token() to all work that takes long, which
// throws Stopped within a second, and looks at interrupted() between steps. A second signal always
// ends the process.
#pragma once

#include "presort/core/base/stop.h"

namespace presort::inline v0::app {

// Installs the handler of SIGINT and SIGTERM, which ends the process.
void exit_on_interrupt();

// Defers the first signal: from now on a first SIGINT or SIGTERM only sets interrupted().
void defer_interrupt();

bool interrupted();

// A token that asks for a stop once interrupted() is true.
StopToken interrupt_token();

}  // namespace presort::app
