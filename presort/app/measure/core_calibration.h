// Calibrates the core costs of this machine: times kernels, fits costs, reports them.
#pragma once

#include <string>

#include "presort/app/printing/progress.h"
#include "presort/core/machine/core_costs.h"
#include "presort/core/machine/machine.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::app {

// Times the bundled grid "core-costs" and fits the core costs of `machine` to these times: a few
// seconds.
// Errors: EnvironmentError; InputError when no kernel is bound by the core; Stopped when a signal
//         was deferred (app/cli/interrupt.h) and has come
CoreCalibration calibrate_core(const Machine& machine, Verbosity verbosity);

// A report of a calibration: the fitted costs, and a line for each timed kernel with its residual.
std::string calibration_text(const CoreCalibration& calibration);
io::Json calibration_json(const CoreCalibration& calibration);

}  // namespace presort::app
