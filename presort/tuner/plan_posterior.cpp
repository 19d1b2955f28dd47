#include "presort/tuner/plan_posterior.h"

#include <algorithm>
#include <cmath>

namespace presort::inline v0::tuner {

namespace {

double normal_below(double z) {
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

// The logarithm of a plan's expected time after a run: level + slope · Z with a standard normal Z.
struct Line {
  double level;
  double slope;
};

// Computes E[min of exp(line)] as the sum, over lines, of the integral where that line is the
// lowest.
double expected_least(std::vector<Line> lines) {
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.slope != b.slope ? a.slope > b.slope : a.level > b.level;
  });
  std::vector<Line> lowest;
  std::vector<double> from;  // for each line, the least Z at which it is the lowest line
  for (const Line& line : lines) {
    double begin = -INFINITY;
    while (!lowest.empty()) {
      const Line& last = lowest.back();
      begin = line.slope == last.slope ? -INFINITY
                                       : (line.level - last.level) / (last.slope - line.slope);
      if (begin > from.back()) {
        break;
      }
      lowest.pop_back();
      from.pop_back();
      begin = -INFINITY;
    }
    lowest.push_back(line);
    from.push_back(begin);
  }
  double expected = 0;
  for (size_t i = 0; i < lowest.size(); ++i) {
    const double to = i + 1 < from.size() ? from[i + 1] : INFINITY;
    const auto [level, slope] = lowest[i];
    expected += std::exp(level + slope * slope / 2) *
                (normal_below(to - slope) - normal_below(from[i] - slope));
  }
  return expected;
}

}  // namespace

PlanPosterior::PlanPosterior(const std::vector<double>& predicted_ns, Covariance covariance,
                             double run_spread)
    : covariance_(std::move(covariance)), run_variance_(run_spread * run_spread) {
  for (const double ns : predicted_ns) {
    log_ns_.push_back(std::log(ns));
  }
}

void PlanPosterior::observe(size_t plan, double ns) {
  const std::vector<double> with_plan = covariance_[plan];
  const double variance = with_plan[plan] + run_variance_;
  const double surprise = std::log(ns) - log_ns_[plan];
  for (size_t i = 0; i < size(); ++i) {
    log_ns_[i] += with_plan[i] / variance * surprise;
    for (size_t j = 0; j < size(); ++j) {
      covariance_[i][j] -= with_plan[i] * with_plan[j] / variance;
    }
  }
}

double PlanPosterior::middle_ns(size_t plan) const {
  return std::exp(log_ns_[plan]);
}

double PlanPosterior::expected_ns(size_t plan) const {
  return std::exp(log_expected(plan));
}

size_t PlanPosterior::best() const {
  size_t best = 0;
  for (size_t i = 1; i < size(); ++i) {
    best = log_expected(i) < log_expected(best) ? i : best;
  }
  return best;
}

double PlanPosterior::gain_by_run(size_t plan) const {
  const std::vector<double>& with_plan = covariance_[plan];
  const double deviation = std::sqrt(with_plan[plan] + run_variance_);
  std::vector<Line> lines;
  for (size_t i = 0; i < size(); ++i) {
    const double slope = with_plan[i] / deviation;
    lines.push_back({log_expected(i) - slope * slope / 2, slope});
  }
  return std::max(0.0, expected_ns(best()) - expected_least(std::move(lines)));
}

}  // namespace presort::tuner
