// Pictures of where the predicted time of a group goes.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"

namespace presort::inline v0::app {

// SVG. Time stacks over m, of the tuner's direct plan and of its choice side by side, in ns.
std::string draw_stacks(const GroupSummary& group);

// SVG. A panel for each plan of the group: its time stacks over m as parts of the measured time, so
// that a stack that ends above 1 is an over-prediction, and small and large m are read alike.
// Requires: a point that counts
std::string draw_plan_stacks(const GroupSummary& group);

}  // namespace presort::app
