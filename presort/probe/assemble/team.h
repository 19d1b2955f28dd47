// The costs of a team of threads from its timed rounds. Pure functions.
#pragma once

#include <optional>

#include "presort/core/machine/team_costs.h"
#include "presort/probe/analysis/findings.h"

namespace presort::inline v0::probe {

struct TeamFinding {
  TeamCosts costs;
  // Relative half-widths of the 95 % intervals of the fitted lines, over all numbers of threads
  double round_uncertainty = 0;
  double wake_uncertainty = 0;
};

// The lines through the times of Quantity::teamRound and teamWake over the number of threads, with
// the least squares of relative errors; no part of a line is negative.
// Times of more than 1 ms are left out: the system had given a core to another program.
// No value if either was measured for no number of threads
std::optional<TeamFinding> find_team(const Estimates& estimates);

}  // namespace presort::probe
