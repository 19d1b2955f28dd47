// Finds the latencies that explain measured pointer chases best, from how often each chase took each
// latency.
#pragma once

#include <vector>

#include "presort/fit/cell_simulation.h"
#include "presort/fit/parameters.h"

namespace presort::inline v0::fit {

// Minimises the sum of |simulated / measured - 1| over the cells of a latency matrix, a cell's simulated
// time being the sum of uses times latencies, within the bounds of the parameters: iteratively reweighted
// least squares. A latency that no cell uses keeps its value.
// Shapes:  uses[cell][parameter], measured[cell]; returns one value a parameter
// Source:  variable projection, Golub & Pereyra, SIAM J. Numerical Analysis 10 (1973): the linear
//          parameters are solved for inside the search over the others
std::vector<double> fit_latencies(const std::vector<std::vector<double>>& uses,
                                  const std::vector<double>& measured,
                                  const std::vector<Parameter>& parameters,
                                  const std::vector<double>& start);

}  // namespace presort::fit
