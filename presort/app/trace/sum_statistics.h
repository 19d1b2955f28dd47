// Sums of the statistics of simulations, over intervals or over cores.
#pragma once

#include "presort/sim/statistics.h"

namespace presort::inline v0::app {

// Adds times and counts, level by level. Requires: both are of one machine, or `sum` is new
void add(sim::Statistics& sum, const sim::Statistics& more);

}  // namespace presort::app
