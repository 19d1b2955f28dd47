// Finds machine files by path or by the name of a bundled machine.
#pragma once

#include <string>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

struct BundledMachine {
  std::string name;  // name of the machine: that of its file, without .yaml
  std::string path;
};

// The machines in the folder machines/ of the command's data (data_folder.h), sorted by name.
// Errors: EnvironmentError when the data are not there
std::vector<BundledMachine> bundled_machines();

// Path of a bundled plan grid, "standard" or "quick".
// Errors: EnvironmentError when the data are not there
std::string bundled_grid(const std::string& name);

// Path of the machine that -m names. An existing file, or a name with a slash or .yaml, is a path;
// any other name is a bundled one.
// Errors: InputError with the nearest bundled name
std::string machine_path(const std::string& path_or_name);

// Reads a machine file, with a warning on stderr when it was written by an interrupted probe.
// Errors: InputError
Machine load_machine(const std::string& path_or_name);

Option machine_option();

}  // namespace presort::app
