// probe --disk: the block device of a folder, as the section storage of a machine file.
#pragma once

#include "presort/app/cli/options.h"

namespace presort::inline v0::app {

// Measures the device and prints the section, or with --json the values; returns the exit code.
// Requires: --disk is given
// Errors: InputError, also for options of another probe; those of probe::measure_disk
int run_probe_disk(const Arguments& arguments);

}  // namespace presort::app
