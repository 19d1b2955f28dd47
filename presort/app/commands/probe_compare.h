// probe --compare: do two machine files of one machine agree within their uncertainties?
#pragma once

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// Compares machine files; returns kDone, or kCheckFailed when less than 90 % of the measured values
// agree.
// Requires: --compare is given
// Errors: InputError
int run_probe_compare(const Arguments& arguments);

}  // namespace presort::app
