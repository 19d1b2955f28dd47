// Least squares with a solution whose elements are all >= 0.
#pragma once

#include <vector>

namespace presort::inline v0::predict {

// Finds the x >= 0 that minimises |A x - b|^2. Where several do, one of them.
// Shapes:   rows[i][k] = A, right[i] = b; returns one value a column
// Requires: at least one row, all of the same length; finite numbers
// Source:   Lawson & Hanson, Solving Least Squares Problems (1974), chapter 23
std::vector<double> non_negative_least_squares(const std::vector<std::vector<double>>& rows,
                                               const std::vector<double>& right);

}  // namespace presort::predict
