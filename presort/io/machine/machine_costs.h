// Reads the file of core costs that a machine file names.
#pragma once

#include <functional>
#include <string>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::io {

// Reads the core-cost file `name`, a path relative to the folder of `machine_file`.
// Requires: machine.dispatch_width is set; refuse(accepted) throws
// Errors: what `refuse` throws when the name does not end as core-cost files do, or the file cannot
// be read or belongs to a core of another width; InputError when the file is ill-formed
void read_costs(const std::string& name, const std::string& machine_file, Machine& machine,
                const std::function<void(const std::string& accepted)>& refuse);

// The path of `costs_file` relative to the folder of `machine_file`.
std::string costs_name_from(const std::string& machine_file, const std::string& costs_file);

}  // namespace presort::io
