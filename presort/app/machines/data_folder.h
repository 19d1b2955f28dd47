// Finds the command's own data: bundled machines and plan grids.
#pragma once

#include <string>

namespace presort::inline v0::app {

// Path of the folder with the command's data: $PRESORT_DATA, or else the first of these, seen from
// the executable, that has a folder machines/: share/presort (a build folder), ../share/presort (an
// installed command), ../configs (a build folder below the sources). PRESORT_CONFIGS is the former
// name of PRESORT_DATA.
// Errors: EnvironmentError naming the folders that were tried
std::string data_folder();

}  // namespace presort::app
