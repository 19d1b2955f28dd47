// Runs on several GPUs of this host: the options, and the measurement.
#pragma once

#include <memory>
#include <optional>

#include "presort/app/cli/options.h"
#include "presort/core/labels/labels.h"
#include "presort/core/machine/machine.h"
#include "presort/core/problem.h"
#include "presort/gpu/runner/devices/shared_runner.h"

namespace presort::inline v0::app {

// Number of GPUs that --devices asks for, 1 without it.
// Errors: InputError for 0, more than may work together, or --device cpu
int read_devices(const Arguments& arguments, Device device);

// Times a problem on `devices` GPUs. The way in which they share it comes from --tuned; or --plan,
// with the scheme of the least predicted time for it; or the predicted times of the machine file of
// -m; or else those of this host's GPU.
// Requires: devices >= 2
// Errors:   InputError for options that do not go together, a machine file without a link between
//           GPUs, a tuned file without an entry; as gpu::measure_shared
gpu::SharedMeasurement run_on_devices(const Arguments& arguments, const Problem& problem,
                                      int devices, const std::optional<Machine>& machine,
                                      const std::shared_ptr<const LabelSource>& labels, int reps,
                                      bool check);

// The machine with as much GPU memory bandwidth as all of its devices have.
std::optional<Machine> with_devices(std::optional<Machine> machine, int devices);

}  // namespace presort::app
