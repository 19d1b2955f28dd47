// How many page walks a core does at a time. Pure functions.
#pragma once

#include <optional>

#include "presort/probe/analysis/findings.h"
#include "presort/probe/analysis/structure/curve.h"

namespace presort::inline v0::probe {

// The number of page walkers, from chases that walk in each step. A point of `chains` is the time of a
// step, ns, over all of k independent chases, with k in the point's `bytes`. One chase shows the time
// of a walk beyond `hit_ns`; the best of many shows how often a walk ends. Their ratio is the number
// of walkers. What still more chases lose is part of its uncertainty. Empty where doubling the chases
// at the end still gains more than a tenth, or where a walk takes less than half of a hit.
std::optional<Found> find_walkers(const Curve& chains, double hit_ns);

// Time of one page walk while no other is under way, ns: the step of a chase that walks in each
// step, less `hit_ns`, the step of a chase whose pages are in the second TLB. Empty where
// find_walkers is.
std::optional<Found> walk_alone(const Curve& chains, double hit_ns);

}  // namespace presort::probe
