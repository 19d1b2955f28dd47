// How sure a value is that was measured in several passes. Pure functions.
//
// Slices of one pass follow each other within milliseconds: they share the clock, the neighbours
// and the frames in memory, so ten of them are not ten observations. A pass counts as one.
#pragma once

#include <map>
#include <vector>

namespace presort::probe {

using ValuesByPass = std::map<int, std::vector<double>>;  // key: number of the pass

// Relative half-width of a 95 % interval of the median of all values:
//   sqrt((t(P - 1) s_b)^2 + (1.96 s_w)^2) / (sqrt(P) median)
// with P passes, s_b the standard deviation of their medians, t Student's quantile for so few of
// them, and s_w the spread of the values about their pass's median. s_b is 0 for one pass.
// Values of 0 at the median have none: 0.
double relative_uncertainty(const ValuesByPass& values);

// t(P - 1) s / (sqrt(P) mean) of one value a pass: what the passes alone say. Fewer than two, or a
// mean of 0: 0.
double spread_of_passes(const std::vector<double>& values);

}  // namespace presort::probe
