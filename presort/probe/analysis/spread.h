// Uncertainty of a value that was measured in several passes. Pure functions.
//
// Slices of one pass follow each other within milliseconds: they share the clock, the neighbours
// and the frames in memory, so ten of them are not ten observations. A pass counts as one.
#pragma once

#include <map>
#include <vector>

namespace presort::inline v0::probe {

// Measured values by the number of their pass
using ValuesByPass = std::map<int, std::vector<double>>;

// Relative half-width of a 95 % interval of the median of all values:
//   sqrt((t(P - 1) s_b)^2 + (1.96 s_w)^2) / (sqrt(P) median)
// with P passes, s_b the standard deviation of their medians (from five on, the fifth at each end
// counts as its neighbour: a single disturbed pass does not move a median either), t Student's
// quantile for so few of them, and s_w the spread of the values about their pass's median. s_b is 0
// for one pass. Values of 0 at the median have none: 0.
double relative_uncertainty(const ValuesByPass& values);

// Relative half-width that the passes alone give: t(P - 1) s / (sqrt(P) |centre|), from one value a
// pass; `centre` is the value that all passes gave together. 0 for fewer than two values, or a
// centre of 0.
double spread_of_passes(const std::vector<double>& values, double centre);

}  // namespace presort::probe
