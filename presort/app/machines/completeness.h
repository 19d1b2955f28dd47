// Files that an interrupted command wrote say `complete: false`; commands that read such a file
// warn of it.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/tuned.h"

namespace presort::inline v0::app {

// True if a machine file's provenance says that its probe ran to its end.
bool is_complete(const Machine& machine);

// True if the file at a path was written by an interrupted probe or tuning; false if it cannot be
// read.
bool is_part_of_machine(const std::string& path);
bool is_part_of_table(const std::string& path);

// Prints a warning on stderr when the machine file is not complete.
void warn_unless_complete(const std::string& path, const Machine& machine);

// Reads a tuned file, and says so on stderr when it is not complete.
// Errors: InputError
Tuned load_tuned(const std::string& path);

}  // namespace presort::app
