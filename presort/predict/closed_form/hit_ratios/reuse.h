// The times after which units (lines, pages) are touched again: they give the misses of any cache.
//
// An arrival is a run of touches at one unit. Arrivals come one after the other, at groups of units
// that are equally popular; arrivals at a unit are taken as a Poisson process (independent
// references). A touch that comes k arrivals after the one before it finds its unit among those
// touched in the last T inputs if at least k arrivals fell into these inputs.
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
  double count = 1;  // number of units in the group
  double rate = 0;   // arrivals per input at each unit of the group
};

// How often and after how long a unit (a line or page) is touched again. An arrival is a run of
// touches at one unit.
struct Reuse {
  double touches = 1;  // touches of units per arrival
  // Arrivals at the unit since its last touch; 0: the last touch was in the same arrival; kNever:
  // it was never touched
  double arrivals = 1;
};

// Touches of units one after the other, with measured times between two touches of the same unit.
struct Measured {
  std::shared_ptr<const Survival> times;
  double touches = 1;   // touches of units per input
  double interval = 1;  // inputs from one arrival to the next
};

struct Population {
  std::vector<Group> groups;
  std::vector<Reuse> reuses = {{}};
  // Touches that were measured, beside those which `groups` and `reuses` describe
  std::vector<Measured> measured = {};
};

// P(N < k) and E[min(N, k)] of a random number N with a Poisson distribution of the given mean.
// Requires: k whole, or kNever
double poisson_below(double mean, double k);
double poisson_capped(double mean, double k);

// Sums over the reuses of touches · P(N < k) (sum_below) and touches · E[min(N, k)] (sum_capped),
// where N has a Poisson distribution of the given mean and k is the arrivals of a reuse.
double sum_below(const std::vector<Reuse>& reuses, double mean);
double sum_capped(const std::vector<Reuse>& reuses, double mean);

// Touches per input whose unit was not touched in the `window` inputs before: the misses of a cache
// that keeps the units of the last `window` inputs.
double misses(const Population& population, double window);

// The number of units touched in the last `window` inputs.
double occupancy(const Population& population, double window);

// The population of a stream: `units_per_input` other units per input, each last touched `since` inputs
// ago (kNever: never).
Population stream(double units_per_input, double since = kNever);

}  // namespace presort::predict
