#include "presort/tuner/plan_posterior.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace presort::inline v0::tuner::plan_posterior_test {
namespace {

double log_of_expected(const PlanPosterior& posterior, size_t plan) {
  return std::log(posterior.expected_ns(plan));
}

// Covariance of prediction errors: 0.01 shared by all plans, and a variance `own` for each plan
// alone.
Covariance correlated(const std::vector<double>& own) {
  Covariance covariance(own.size(), std::vector<double>(own.size(), 0.01));
  for (size_t i = 0; i < own.size(); ++i) {
    covariance[i][i] += own[i];
  }
  return covariance;
}

TEST_CASE("a plan that is less certain takes longer on average") {
  const PlanPosterior posterior({2, 2}, {{0.04, 0}, {0, 0.01}}, 0.1);
  CHECK(posterior.expected_ns(0) == doctest::Approx(2 * std::exp(0.02)));
  CHECK(posterior.expected_ns(1) == doctest::Approx(2 * std::exp(0.005)));
  CHECK(posterior.best() == 1);
}

TEST_CASE("a run counts by its precision, and tells of plans that err alike") {
  // By hand: for one plan with variance v, a run of variance r moves the mean by v / (v + r), and v
  // becomes v r / (v + r).
  PlanPosterior posterior({1, 1}, {{0.04, 0.02}, {0.02, 0.04}}, 0.2);
  posterior.observe(0, std::exp(1.0));
  CHECK(log_of_expected(posterior, 0) == doctest::Approx(0.5 + 0.02 / 2));
  CHECK(log_of_expected(posterior, 1) == doctest::Approx(0.25 + (0.04 - 0.02 * 0.02 / 0.08) / 2));
}

TEST_CASE("the order of runs makes no difference") {
  const std::vector<double> predicted = {1, 1.2, 0.9};
  PlanPosterior forth(predicted, correlated({0.02, 0.01, 0.03}), 0.05);
  PlanPosterior back = forth;
  const double ns[] = {1.1, 1.0, 1.3};
  for (size_t i = 0; i < 3; ++i) {
    forth.observe(i, ns[i]);
    back.observe(2 - i, ns[2 - i]);
  }
  for (size_t i = 0; i < 3; ++i) {
    CHECK(forth.expected_ns(i) == doctest::Approx(back.expected_ns(i)));
  }
}

TEST_CASE("many runs of a plan say what it takes") {
  PlanPosterior posterior({1, 1}, correlated({0.02, 0.02}), 0.05);
  for (int run = 0; run < 10000; ++run) {
    posterior.observe(1, 3.0);
  }
  CHECK(posterior.expected_ns(1) == doctest::Approx(3).epsilon(0.001));
}

TEST_CASE("the gain by a run is that of drawn runs") {
  const std::vector<double> predicted = {1, 1.1, 1.05, 1.6};
  const Covariance covariance = correlated({0.01, 0.03, 0.005, 0.02});
  constexpr double kRun = 0.05;
  const PlanPosterior before(predicted, covariance, kRun);
  std::mt19937 random(1);
  for (size_t plan = 0; plan < predicted.size(); ++plan) {
    const double deviation = std::sqrt(covariance[plan][plan] + kRun * kRun);
    std::normal_distribution<double> log_ns(std::log(predicted[plan]), deviation);
    constexpr int kDraws = 200000;
    double sum = 0;
    double squares = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      PlanPosterior after = before;
      after.observe(plan, std::exp(log_ns(random)));
      const double gain = before.expected_ns(before.best()) - after.expected_ns(after.best());
      sum += gain;
      squares += gain * gain;
    }
    const double mean = sum / kDraws;
    const double error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
    CHECK(std::abs(before.gain_by_run(plan) - mean) < 4 * error + 1e-9);
  }
}

TEST_CASE("a run of what is known, or of what cannot win, gains nothing") {
  const PlanPosterior posterior({1, 2, 1.01}, {{0, 0, 0}, {0, 1e-4, 0}, {0, 0, 0.01}}, 0.05);
  CHECK(posterior.gain_by_run(0) == 0);
  CHECK(posterior.gain_by_run(1) < 1e-12);
  CHECK(posterior.gain_by_run(2) > 0.01);
}

}  // namespace
}  // namespace presort::tuner::plan_posterior_test
