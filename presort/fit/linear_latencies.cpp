#include "presort/fit/linear_latencies.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace presort::inline v0::fit {

namespace {

constexpr int kRounds = 40;
constexpr double kLeastResidual = 0.005;  // relative residual that rounding to whole cycles causes
// Weight of the start values, for latencies that no measured cell determines
constexpr double kRidge = 1e-6;

using Fixed = std::vector<bool>;

// Weighted least squares over the parameters that are not fixed; fixed parameters keep their values in x.
Eigen::VectorXd solve_free(Eigen::MatrixXd m, Eigen::VectorXd b, const Eigen::VectorXd& start,
                           const Eigen::VectorXd& x, const Fixed& fixed) {
  const double scale = m.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < m.cols(); ++i) {
    const double ridge = kRidge * std::max(m(i, i), 1e-3 * scale);
    m(i, i) += ridge;
    b(i) += ridge * start(i);
    if (fixed[static_cast<size_t>(i)]) {
      m.row(i).setZero();
      m(i, i) = 1;
      b(i) = x(i);
    }
  }
  return m.colPivHouseholderQr().solve(b);
}

// Least squares within bounds: the parameter that is furthest beyond a bound is fixed at that bound, and
// the others are solved for again, until all are within bounds.
Eigen::VectorXd solve(const Eigen::MatrixXd& a, const Eigen::VectorXd& weights,
                      const Eigen::VectorXd& start, const Eigen::VectorXd& low,
                      const Eigen::VectorXd& high) {
  const Eigen::MatrixXd weighted = weights.asDiagonal() * a;
  const Eigen::MatrixXd normal = a.transpose() * weighted;
  const Eigen::VectorXd right = weighted.transpose() * Eigen::VectorXd::Ones(a.rows());
  Fixed fixed;
  for (Eigen::Index i = 0; i < a.cols(); ++i) {
    fixed.push_back(low(i) == high(i));
  }
  Eigen::VectorXd x = start;
  while (true) {
    x = solve_free(normal, right, start, x, fixed);
    const Eigen::VectorXd bounded = x.cwiseMax(low).cwiseMin(high);
    Eigen::Index furthest = 0;
    const double beyond = ((x - bounded).cwiseAbs().array() / high.cwiseAbs().cwiseMax(1).array())
                              .maxCoeff(&furthest);
    if (!(beyond > 1e-9)) {
      return bounded;
    }
    x(furthest) = bounded(furthest);
    fixed[static_cast<size_t>(furthest)] = true;
  }
}

}  // namespace

std::vector<double> fit_latencies(const std::vector<std::vector<double>>& uses,
                                  const std::vector<double>& measured,
                                  const std::vector<Parameter>& parameters,
                                  const std::vector<double>& start) {
  const auto rows = static_cast<Eigen::Index>(uses.size());
  const auto columns = static_cast<Eigen::Index>(parameters.size());
  // Each row (a cell) is divided by its measured time, so that the right-hand side is 1
  Eigen::MatrixXd a(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index k = 0; k < columns; ++k) {
      a(i, k) =
          uses[static_cast<size_t>(i)][static_cast<size_t>(k)] / measured[static_cast<size_t>(i)];
    }
  }
  Eigen::VectorXd low(columns);
  Eigen::VectorXd high(columns);
  Eigen::VectorXd from(columns);
  for (Eigen::Index k = 0; k < columns; ++k) {
    low(k) = parameters[static_cast<size_t>(k)].low;
    high(k) = parameters[static_cast<size_t>(k)].high;
    from(k) = start[static_cast<size_t>(k)];
  }
  Eigen::VectorXd x = from;
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::VectorXd residual = (a * x - Eigen::VectorXd::Ones(rows)).cwiseAbs();
    const Eigen::VectorXd weights = residual.cwiseMax(kLeastResidual).cwiseInverse();
    x = solve(a, weights, from, low, high);
  }
  return {x.begin(), x.end()};
}

}  // namespace presort::fit
