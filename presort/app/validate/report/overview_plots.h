// Pictures of a whole validation: every point in one.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

// A picture (SVG) of predicted over measured time of all points that count, on logarithmic axes, by
// kind of plan and page size.
// Requires: at least one such point
std::string draw_accuracy(const Summary& summary);

// A picture (SVG) of the errors of each regime: a strip of dots with its quartiles and its median.
// Groupings with one class are left out.
// Requires: at least one point that counts
std::string draw_regimes(const Summary& summary);

}  // namespace presort::app
