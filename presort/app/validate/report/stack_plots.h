// Pictures of where the predicted time of a group goes.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

// A picture (SVG) of time stacks over m, ns: the tuner's direct plan and its choice side by side.
std::string draw_stacks(const GroupSummary& group);

// A picture (SVG) with a panel for each plan of the group: time stacks over m as parts of the
// measured time. A stack that ends above 1 is an over-prediction, whether m is small or large.
// Requires: a point that counts
std::string draw_plan_stacks(const GroupSummary& group);

}  // namespace presort::app
