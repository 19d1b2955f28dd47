#include "presort/tuner/measured_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "presort/core/error.h"

namespace presort::inline v0::tuner::measured_search_test {
namespace {

Prediction prediction(const char* plan, double ns, const char* phase, const char* term) {
  Prediction made;
  made.plan = parse_cpu_plan(plan);
  made.ns_per_input = ns;
  made.phases = {{phase, ns, {}}};
  made.stack_ns = {{term, ns}};
  return made;
}

// Predictions of loops and of pre-sorts, all about equally fast; errors within each group are
// correlated.
std::vector<Prediction> predictions() {
  return {
      prediction("sortBits=0", 3, "reduce", "memoryLatency"),
      prediction("prefetchDistance=16", 2.8, "reduce", "memoryBandwidth"),
      prediction("sortBits=8", 2.9, "partition 1", "core"),
      prediction("sortBits=9", 2.7, "partition 1", "core"),
      prediction("sortBits=10", 2.6, "partition 1", "core"),
      prediction("sortBits=12,passes=2", 4, "partition 2", "core"),
  };
}

// Draws real times of all plans, with prediction errors of this covariance: a lower triangle times
// standard normals.
std::vector<double> draw_times(const std::vector<Prediction>& all, const Covariance& covariance,
                               std::mt19937& random) {
  const size_t n = all.size();
  Covariance root(n, std::vector<double>(n));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double rest = covariance[i][j];
      for (size_t k = 0; k < j; ++k) {
        rest -= root[i][k] * root[j][k];
      }
      root[i][j] = i == j ? std::sqrt(rest) : rest / root[j][j];
    }
  }
  std::normal_distribution<double> normal;
  std::vector<double> z(n);
  std::generate(z.begin(), z.end(), [&] { return normal(random); });
  std::vector<double> times;
  for (size_t i = 0; i < n; ++i) {
    double error = 0;
    for (size_t k = 0; k <= i; ++k) {
      error += root[i][k] * z[k];
    }
    times.push_back(all[i].ns_per_input * std::exp(error));
  }
  return times;
}

size_t index_of(const std::vector<Prediction>& all, const CpuPlan& plan) {
  return static_cast<size_t>(
      std::find_if(all.begin(), all.end(), [&](const Prediction& p) { return p.plan == plan; }) -
      all.begin());
}

double mean_regret(int runs) {
  const std::vector<Prediction> all = predictions();
  const ErrorSpread spread;
  const Covariance covariance = error_covariance(all, spread);
  std::mt19937 random(7);
  std::normal_distribution<double> run(0, spread.run);
  double sum = 0;
  constexpr int kDraws = 400;
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::vector<double> times = draw_times(all, covariance, random);
    const MeasuredSearch search = measured_search(
        all, runs,
        [&](const CpuPlan& plan) { return times[index_of(all, plan)] * std::exp(run(random)); },
        spread);
    sum += times[search.plan] / *std::min_element(times.begin(), times.end()) - 1;
  }
  return sum / kDraws;
}

TEST_CASE("runs are as many as asked for, of plans that are there, and are told") {
  const std::vector<Prediction> all = predictions();
  int calls = 0;
  const MeasuredSearch search = measured_search(all, 7, [&](const CpuPlan& plan) {
    CHECK(index_of(all, plan) < all.size());
    return 1.0 + 0.01 * ++calls;
  });
  CHECK(calls == 7);
  REQUIRE(search.runs.size() == 7);
  CHECK(search.runs.back().ns_per_input == doctest::Approx(1.07));
  CHECK(search.expected_ns.size() == all.size());
  CHECK(search.plan < all.size());
}

TEST_CASE("without runs the least expected time is chosen") {
  const MeasuredSearch search = measured_search(predictions(), 0, nullptr);
  CHECK(search.plan ==
        static_cast<size_t>(std::min_element(search.expected_ns.begin(), search.expected_ns.end()) -
                            search.expected_ns.begin()));
  CHECK(search.runs.empty());
}

TEST_CASE("where errors are as believed, runs make the choice better") {
  const double none = mean_regret(0);
  const double two = mean_regret(2);
  const double five = mean_regret(5);
  CHECK(two < 0.7 * none);
  CHECK(five < 0.7 * two);
  CHECK(five < 0.02);
}

TEST_CASE("one plan is chosen, however often it runs") {
  const std::vector<Prediction> one = {predictions().front()};
  CHECK(measured_search(one, 3, [](const CpuPlan&) { return 5.0; }).plan == 0);
}

TEST_CASE("a plan that turns out twice as slow as predicted is not chosen") {
  const std::vector<Prediction> all = predictions();
  const MeasuredSearch search = measured_search(all, 5, [&](const CpuPlan& plan) {
    return all[index_of(all, plan)].ns_per_input * (plan.presort ? 2 : 1);
  });
  CHECK(!all[search.plan].plan.presort);
}

TEST_CASE("a run that takes no time is refused; what a run throws passes") {
  for (const double ns : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(measured_search(predictions(), 1, [=](const CpuPlan&) { return ns; }),
                    InputError);
  }
  CHECK_THROWS_AS(measured_search(predictions(), 1,
                                  [](const CpuPlan&) -> double { throw EnvironmentError("gone"); }),
                  EnvironmentError);
}

TEST_CASE("plans that share phases err together, and none with itself less than with another") {
  const std::vector<Prediction> all = predictions();
  const Covariance covariance = error_covariance(all, {});
  CHECK(covariance[2][3] > covariance[2][5]);
  CHECK(covariance[2][5] > covariance[2][0]);
  CHECK(covariance[0][2] == 0);
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < all.size(); ++j) {
      CHECK(covariance[i][j] == covariance[j][i]);
      CHECK(covariance[i][j] <= covariance[i][i]);
    }
  }
}

// Mean regret of a search for `seconds` where each run takes 10 ms, and the most seconds that the
// search took.
struct Halving {
  double mean_regret = 0;
  double most_s = 0;
};
Halving halve(double seconds, double disturbed) {
  const std::vector<Prediction> all = predictions();
  const ErrorSpread spread;
  const Covariance covariance = error_covariance(all, spread);
  std::mt19937 random(11);
  std::normal_distribution<double> run(0, spread.run);
  std::mt19937 of_runs(12);
  std::uniform_real_distribution<double> chance(0, 1);
  Halving result;
  constexpr int kDraws = 400;
  constexpr double kRun_s = 0.01;
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::vector<double> times = draw_times(all, covariance, random);
    double spent_s = 0;
    const MeasuredSearch search = halving_search(
        all, seconds, [&](size_t) { return kRun_s; },
        [&](const CpuPlan& plan) -> std::optional<double> {
          spent_s += kRun_s;
          const double ns = times[index_of(all, plan)] * std::exp(run(of_runs));
          return chance(of_runs) < disturbed ? std::nullopt : std::optional(ns);
        },
        spread);
    result.mean_regret +=
        (times[search.plan] / *std::min_element(times.begin(), times.end()) - 1) / kDraws;
    result.most_s = std::max(result.most_s, spent_s);
  }
  return result;
}

TEST_CASE("halving takes no more than its time, and makes the choice better, disturbed or not") {
  const Halving none = halve(0, 0);
  CHECK(none.most_s == 0);
  const Halving some = halve(0.2, 0);
  CHECK(some.most_s <= 0.2 + 1e-9);
  CHECK(some.most_s > 0.1);
  CHECK(some.mean_regret < 0.3 * none.mean_regret);
  CHECK(halve(0.2, 0.5).mean_regret < 0.6 * none.mean_regret);
  CHECK(halve(0.2, 1).mean_regret == doctest::Approx(none.mean_regret));
}

TEST_CASE("nothing is timed where runs are too long, or the choice is clear") {
  std::vector<Prediction> all = predictions();
  const auto never = [](const CpuPlan&) -> std::optional<double> {
    FAIL("a run");
    return std::nullopt;
  };
  CHECK(halving_search(
            all, 0.2, [](size_t) { return 0.15; }, never)
            .runs.empty());
  all.front() = prediction("sortBits=0", 0.03, "reduce", "memoryLatency");
  CHECK(close_plans(all, 8) == std::vector<size_t>{0});
  CHECK(halving_search(
            all, 0.2, [](size_t) { return 0.001; }, never)
            .runs.empty());
}

}  // namespace
}  // namespace presort::tuner::measured_search_test
