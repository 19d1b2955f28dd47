// Runs `presort validate --loops`: predictions of memory loops against measured times.
#pragma once

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

int run_validate_loops(const Arguments& arguments);

}  // namespace presort::app
