// Pictures of a whole validation, with every point of it in one picture.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

// A picture (SVG) of predicted over measured time of all kept points, on logarithmic axes, by kind
// of plan and page size.
// Requires: at least one kept point
std::string draw_accuracy(const Summary& summary);

// A picture (SVG) of the prediction errors of each regime (class of points): a strip of dots with
// its quartiles and its median. Groupings with one class are left out.
// Requires: at least one kept point
std::string draw_regimes(const Summary& summary);

}  // namespace presort::app
