// `presort validate --loops`.
#pragma once

#include "app/options.h"

namespace presort::app {

int run_validate_loops(const Arguments& arguments);

}  // namespace presort::app
