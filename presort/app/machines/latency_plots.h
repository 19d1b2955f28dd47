// Pictures of the latencies of pointer chases, measured and simulated.
#pragma once

#include <string>
#include <vector>

#include "presort/fit/fit.h"

namespace presort::inline v0::app {

// One SVG with a row for each order of the pointer chase. Each row has three maps over stride
// (across) and footprint (up): simulated latency, measured latency, and their ratio less one.
// White: not measured.
// Errors: EnvironmentError when gnuplot is not there or fails
std::string latency_heat_maps(const std::vector<fit::CellResult>& results,
                              const std::string& machine);

}  // namespace presort::app
