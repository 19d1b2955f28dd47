// Pictures of a whole validation: every point in one.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

// SVG. Predicted over measured time of all points that count, both logarithmic, by kind of plan and
// page size.
// Requires: at least one such point
std::string draw_accuracy(const Summary& summary);

// SVG. The errors of each regime as a strip of dots with its quartiles and its median; groupings
// with one class are left out.
// Requires: at least one point that counts
std::string draw_regimes(const Summary& summary);

}  // namespace presort::app
