// How many page walks a core does at a time. Pure functions.
#pragma once

#include <optional>

#include "presort/probe/analysis/curve.h"
#include "presort/probe/analysis/findings.h"

namespace presort::inline v0::probe {

// From k independent chases each step of which walks, ns per step of all (`bytes` of a point is k):
// one chase shows a walk's time beyond the hit, the best of many show how often a walk ends. Their
// ratio is the number of walkers; how much more of them lose is part of its uncertainty. Empty
// where doubling the chases at the end still gains more than a tenth, or where the walks are not
// what limits them (a walk takes less than half of the hit).
std::optional<Found> find_walkers(const Curve& chains, double hit_ns);

// Where find_walkers finds some: ns of a walk that nothing else is under way with, of a chase whose
// steps take `hit_ns` where pages are in the second TLB.
std::optional<Found> walk_alone(const Curve& chains, double hit_ns);

}  // namespace presort::probe
