#include "presort/predict/calibrate/non_negative.h"

#include <Eigen/Dense>
#include <algorithm>

namespace presort::inline v0::predict {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Least gradient that counts as above 0, relative to the gradient at x = 0
constexpr double kTolerance = 1e-10;

// Solves least squares over the columns of A in `free`; the elements of x for other columns get 0.
Vector solve_free(const Matrix& a, const Vector& b, const std::vector<Eigen::Index>& free) {
  Matrix part(a.rows(), static_cast<Eigen::Index>(free.size()));
  for (size_t k = 0; k < free.size(); ++k) {
    part.col(static_cast<Eigen::Index>(k)) = a.col(free[k]);
  }
  const Vector some = part.completeOrthogonalDecomposition().solve(b);
  Vector x = Vector::Zero(a.cols());
  for (size_t k = 0; k < free.size(); ++k) {
    x(free[k]) = some(static_cast<Eigen::Index>(k));
  }
  return x;
}

// The column of A outside `free` along which the squared error falls most, with a gradient above
// `least`; -1 if there is none.
Eigen::Index steepest(const Vector& gradient, const std::vector<Eigen::Index>& free, double least) {
  Eigen::Index best = -1;
  for (Eigen::Index k = 0; k < gradient.size(); ++k) {
    const bool is_free = std::find(free.begin(), free.end(), k) != free.end();
    if (!is_free && gradient(k) > least && (best < 0 || gradient(k) > gradient(best))) {
      best = k;
    }
  }
  return best;
}

// Moves the solution x towards `target` as far as no element becomes negative. Columns whose
// elements become 0 leave `free`.
void step_to(const Vector& target, Vector& x, std::vector<Eigen::Index>& free) {
  double part = 1;
  for (const Eigen::Index k : free) {
    if (target(k) <= 0) {
      part = std::min(part, x(k) / (x(k) - target(k)));
    }
  }
  x += part * (target - x);
  std::erase_if(free, [&](Eigen::Index k) {
    const bool at_zero = target(k) <= 0 && x(k) <= kTolerance;
    if (at_zero) {
      x(k) = 0;
    }
    return at_zero;
  });
}

Vector solve(const Matrix& a, const Vector& b) {
  Vector x = Vector::Zero(a.cols());
  std::vector<Eigen::Index> free;
  const double least = kTolerance * (a.transpose() * b).cwiseAbs().maxCoeff();
  const auto most_rounds = 10 * (a.cols() + 1);
  for (Eigen::Index round = 0; round < most_rounds; ++round) {
    const Eigen::Index next = steepest(a.transpose() * (b - a * x), free, least);
    if (next < 0) {
      break;
    }
    free.push_back(next);
    while (!free.empty()) {
      const Vector target = solve_free(a, b, free);
      const size_t before = free.size();
      step_to(target, x, free);
      if (free.size() == before) {
        break;
      }
    }
  }
  return x;
}

}  // namespace

std::vector<double> non_negative_least_squares(const std::vector<std::vector<double>>& rows,
                                               const std::vector<double>& right) {
  Matrix a(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.front().size()));
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index k = 0; k < a.cols(); ++k) {
      a(i, k) = rows[static_cast<size_t>(i)][static_cast<size_t>(k)];
    }
  }
  const Vector x = solve(a, Eigen::Map<const Vector>(right.data(), a.rows()));
  return {x.begin(), x.end()};
}

}  // namespace presort::predict
