// Least squares with a solution whose elements are all >= 0.
#pragma once

#include <vector>

namespace presort::inline v0::predict {

// Finds an x >= 0 that minimises |A x - b|^2. If several x do, one of them is returned.
// Shapes:   rows[i][k] = A, right[i] = b; returns x, one value per column of A
// Requires: at least one row, all of the same length; finite numbers
// Source:   Lawson & Hanson, Solving Least Squares Problems (1974), chapter 23
std::vector<double> non_negative_least_squares(const std::vector<std::vector<double>>& rows,
                                               const std::vector<double>& right);

}  // namespace presort::predict
