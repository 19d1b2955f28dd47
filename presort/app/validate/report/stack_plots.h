// Pictures of the predicted time stacks of a group.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

// A picture (SVG) of time stacks over m, ns: the tuner's direct plan and its choice side by side.
std::string draw_stacks(const GroupSummary& group);

// A picture (SVG) with a panel for each plan of the group: predicted time stacks over m, divided by
// the measured time. A stack that ends above 1 is an over-prediction, whether m is small or large.
// Requires: a kept point
std::string draw_plan_stacks(const GroupSummary& group);

}  // namespace presort::app
