// Core costs of the machine that this runs on: timed, fitted, told.
#pragma once

#include <string>

#include "app/progress.h"
#include "core/core_costs.h"
#include "core/machine.h"
#include "io/result_json.h"

namespace presort::app {

// Times the bundled grid "core-costs" and fits the costs of `machine` to it: a few seconds.
// Errors: EnvironmentError, InputError when nothing is bound by the core; Stopped when a signal was
//         deferred (app/interrupt.h) and has come
CoreCalibration calibrate_core(const Machine& machine, Verbosity verbosity);

// The coefficients, and a line for each point with its residual.
std::string calibration_text(const CoreCalibration& calibration);
io::Json calibration_json(const CoreCalibration& calibration);

}  // namespace presort::app
