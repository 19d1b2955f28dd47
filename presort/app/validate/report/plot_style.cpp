#include "presort/app/validate/report/plot_style.h"

#include <fmt/format.h>

#include <cmath>

namespace presort::inline v0::app {

const Point& tuned_point(const ProblemRow& row) {
  return row.item->points[row.item->tuned];
}

const Point& direct_point(const ProblemRow& row) {
  return row.item->points[row.item->direct];
}

double log2_m(const ProblemRow& row) {
  return std::log2(static_cast<double>(row.item->problem.m));
}

std::string m_tic(const ProblemRow& row, double position) {
  return fmt::format("'2^{{{:.3g}}}' {}", log2_m(row), position);
}

}  // namespace presort::app
