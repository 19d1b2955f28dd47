// Minimises a cost over a few bounded parameters of a machine, one coordinate at a time: a step up
// or down (or each of the choices) is kept when the cost falls by more than the noise of the
// simulation; after a round without success the step is halved.
// Source: compass search, see Kolda, Lewis, Torczon, "Optimization by direct search: new
//         perspectives on some classical and modern methods", SIAM Review 45 (2003), section 3.
#pragma once

#include <functional>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/fit/parameters.h"

namespace presort::inline v0::fit {

struct SearchOptions {
  double first_step = 0.3;   // first step, relative: multiplies or divides a parameter by 1.3
  double last_step = 0.05;   // smallest step, relative, at which the search ends
  double least_gain = 5e-4;  // relative gains of the cost below this do not count
  int most_evaluations = 200;
};

struct SearchResult {
  Machine machine;
  double cost = 0;
  int evaluations = 0;
};

// Searches from `start`. `cost` may change parameters that are not searched (such as latencies) in
// the machine that it gets; it is not called for a machine that contradicts itself. `on_better` is
// called with each improvement.
// Requires: find_machine_problem(start) is empty
SearchResult pattern_search(const Machine& start, const std::vector<Parameter>& parameters,
                            const std::function<double(Machine&)>& cost,
                            const SearchOptions& options,
                            const std::function<void(const SearchResult&)>& on_better);

}  // namespace presort::fit
