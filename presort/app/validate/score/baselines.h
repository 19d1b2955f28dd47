// The regret of fixed choices: of plans that look at neither problem nor machine, and of rules by
// formula (rules.h). By the same split halves (regret.h) and on the same problems as the tuner's
// regret: a tuner that does not beat these is not worth its file. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

struct Baseline {
  std::string name;
  std::optional<CpuPlan> plan;  // the plan; nothing: the rule chooses one for each problem
  std::string rule;             // name of the rule; "" for a fixed plan
  size_t points = 0;            // problems that the plan fits and whose point was kept
  double mean_regret = 0;
  double p95_regret = 0;
  double max_regret = 0;
};

// "always sort", "never sort" (the plain loop), "never sort, with prefetch", "best fixed plan":
// of each the plan of the grid with the least mean regret in the choosing halves, among those that
// fit the most problems. "Never sort" keeps to 2 MiB pages if the grid has such a plan. A name for
// which the grid has no plan is left out.
// Requires: each problem has a kept plan of the grid
std::vector<Baseline> fixed_choices(const std::vector<const ProblemPoints*>& problems);

// Each rule of rules.h with the plans of the grid that come nearest to what it says. Problems where
// the grid has no such plan, or where it was dropped, are not counted; a rule of which none is left
// is left out.
// Requires: each problem has a kept plan of the grid
std::vector<Baseline> rule_choices(const std::vector<const ProblemPoints*>& problems,
                                   const Machine& machine);

}  // namespace presort::app
