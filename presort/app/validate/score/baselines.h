// The regret of fixed choices: of plans that look at neither problem nor machine, and of rules by
// formula (rules.h). Regret is by the same split halves (regret.h) and on the same problems as the
// tuner's: a tuner that does not beat fixed choices is not worth its file. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/validate/points.h"

namespace presort::inline v0::app {

struct Baseline {
  std::string name;
  std::optional<CpuPlan> plan;  // the fixed plan; no value: a rule chooses one for each problem
  std::string rule;             // name of the rule that chooses; "" for a fixed plan
  size_t points = 0;            // number of problems that the plan fits and whose point was kept
  double mean_regret = 0;
  double p95_regret = 0;
  double max_regret = 0;
};

// Fixed choices: "always sort", "never sort" (the plain loop), "never sort, with prefetch", "best
// fixed plan". Each is the plan of the grid with the least mean regret in the choosing halves,
// among those that fit the most problems. "Never sort" keeps to 2 MiB pages if the grid has such a
// plan. A name for which the grid has no plan is left out.
// Requires: each problem has a kept plan of the grid
std::vector<Baseline> fixed_choices(const std::vector<const ProblemPoints*>& problems);

// Choices by each rule of rules.h, with the plans of the grid that come nearest to the rule.
// Problems where the grid has no such plan, or where the plan was dropped, are not counted; a rule
// without any problem is left out.
// Requires: each problem has a kept plan of the grid
std::vector<Baseline> rule_choices(const std::vector<const ProblemPoints*>& problems,
                                   const Machine& machine);

}  // namespace presort::app
