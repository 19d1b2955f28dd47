// The drift reference: a fixed kernel timed between all others, so that a machine that slows down
// for a while (clock, neighbours) does not look like a slow plan. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

namespace presort::inline v0::app {

// Correction factors for drift. Reference times r_0 … r_N stand between runs 0 … N−1: r_i before
// run i, r_{i+1} after it. Run i's time is to be multiplied by factor i: median of all references /
// median of the references within `half_window` on either side of the run. Near the ends there are
// fewer references than half_window.
// Requires: at least two references, all > 0; half_window >= 1
std::vector<double> drift_factors(const std::vector<double>& references, size_t half_window);

// Relative spread of a point's times above which the point is timed again, and dropped if it still
// spreads.
inline constexpr double kMaxSpread = 0.10;
// Largest share of all points that is dropped; the others stay, marked as noisy, so that dropping
// cannot embellish the result.
inline constexpr double kMaxDroppedPart = 0.10;

// Selects the points that are dropped: those with a spread above kMaxSpread, the worst first, at
// most kMaxDroppedPart of all.
std::vector<bool> points_to_drop(const std::vector<double>& spreads);

}  // namespace presort::app
