// After how long units (lines, pages) are touched again, from which their misses in any cache
// follow.
//
// Touches come as arrivals, one after the other in inputs, at groups of units that are equally
// popular; arrivals at a unit are taken as a Poisson process (independent references). A touch that
// comes k arrivals after the one before it finds its unit among those touched in the last T inputs
// if at least k arrivals fell into these inputs.
// Source: Che, Tung & Wang, "Hierarchical web caching systems: modeling, design and experimental
//         results", IEEE JSAC 20(7), 2002 (k = 1); occupancy as the integral of misses: Denning &
//         Schwartz, "Properties of the working-set model", CACM 15(3), 1972
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "presort/predict/closed_form/hit_ratios/survival.h"

namespace presort::inline v0::predict {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct Group {
  double count = 1;  // number of units
  double rate = 0;   // arrivals per input at each unit
};

struct Reuse {
  double touches = 1;  // touches per arrival
  double arrivals =
      1;  // arrivals since the unit was touched last; 0: in the same arrival; kNever: not before
};

// Touches at units whose times were measured, one after the other in arrivals.
struct Measured {
  std::shared_ptr<const Survival> times;
  double touches = 1;   // rate of touches per input
  double interval = 1;  // inputs from one arrival to the next
};

struct Population {
  std::vector<Group> groups;
  std::vector<Reuse> reuses = {{}};
  std::vector<Measured> measured = {};  // measured touches, in addition to the groups' touches
};

// P(N < k) and E[min(N, k)] of a Poisson number N. Requires: k whole, or kNever
double poisson_below(double mean, double k);
double poisson_capped(double mean, double k);

// Σ touches · P(N < k) and Σ touches · E[min(N, k)] over the reuses, where k is the arrivals of
// each.
double sum_below(const std::vector<Reuse>& reuses, double mean);
double sum_capped(const std::vector<Reuse>& reuses, double mean);

// Touches per input at units that were not touched in the `window` inputs before: misses of a cache
// with that window.
double misses(const Population& population, double window);

// The number of units touched in the last `window` inputs.
double occupancy(const Population& population, double window);

// The population of a stream: `units_per_input` new units per input, never touched again.
Population stream(double units_per_input);

}  // namespace presort::predict
