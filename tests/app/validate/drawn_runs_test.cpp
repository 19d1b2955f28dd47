#include "presort/app/validate/drawn_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "presort/core/base/random.h"
#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "tests/app/validate/validation_fixture.h"
#include "tests/property_seed.h"

namespace drawn_runs_test {

using namespace presort;
using namespace presort::app;

namespace {

// A recorded point whose times as measured are ten times the corrected ones, so that a test sees
// which of them were used.
Point recorded(const char* plan, std::vector<double> ns) {
  Point point = make_point(plan, 1, 1);
  point.ns = std::move(ns);
  point.raw_ns = point.ns;
  for (double& raw : point.raw_ns) {
    raw *= 10;
  }
  return point;
}

ProblemPoints two_plans() {
  return make_problem(1 << 20, {recorded("sortBits=0", {1, 2, 3, 4, 5, 6, 7, 8}),
                                recorded("sortBits=8", {10, 20, 30, 40, 50, 60, 70, 80})});
}

}  // namespace

TEST_CASE("a run is drawn once, as timed, and is not judged by") {
  const ProblemPoints item = two_plans();
  for (uint64_t i = 0; i < 20; ++i) {
    DrawnRuns runs(item, test::property_seed() + i);
    std::vector<double> drawn;
    for (int turn = 0; turn < 7; ++turn) {
      const double ns = runs.draw(item.points[0].plan) / 10;
      CHECK(std::find(drawn.begin(), drawn.end(), ns) == drawn.end());
      drawn.push_back(ns);
    }
    // One run is left to judge by; all others are those by which the best plan is found
    double sum = 36;
    for (const double ns : drawn) {
      sum -= ns;
    }
    CHECK(runs.judging_ns(0) == sum);
    CHECK(runs.finding_ns(0) == median(drawn));
  }
}

TEST_CASE("the two halves of runs that were not drawn are all of them") {
  const ProblemPoints item =
      make_problem(1 << 20, {recorded("sortBits=0", {1, 2}), recorded("sortBits=8", {10})});
  const DrawnRuns runs(item, test::property_seed());
  CHECK(runs.judging_ns(0) + runs.finding_ns(0) == 3);
  CHECK(runs.judging_ns(1) == 10);
  CHECK(runs.finding_ns(1) == 10);  // of a single run
}

TEST_CASE("plans of equal times have no regret in the mean, whatever their runs scatter") {
  std::vector<ProblemPoints> items;
  std::vector<const ProblemPoints*> problems;
  for (int i = 0; i < 400; ++i) {
    std::vector<Point> points;
    for (int plan = 0; plan < 6; ++plan) {
      std::vector<double> ns;
      for (int run = 0; run < 4; ++run) {
        const uint64_t turn = static_cast<uint64_t>((i * 6 + plan) * 4 + run);
        ns.push_back(1 + 0.2 * unit_double(random_u64(test::property_seed(), turn)));
      }
      points.push_back(recorded(("sortBits=" + std::to_string(plan + 1)).c_str(), ns));
    }
    items.push_back(make_problem(1 << 20, points));
  }
  for (const ProblemPoints& item : items) {
    problems.push_back(&item);
  }
  const auto first = [](const ProblemPoints&, const TimeRun&) { return size_t{0}; };
  // A run's standard deviation is 5.8 %; the mean over 400 problems scatters by 0.3 % or less
  CHECK(std::abs(score_with_drawn_runs(problems, first, 4, 1).mean_regret) < 0.02);
}

TEST_CASE("every run is as likely to be drawn first") {
  const ProblemPoints item = two_plans();
  std::vector<int> counts(8);
  constexpr int kDraws = 8000;
  for (uint64_t seed = 0; seed < kDraws; ++seed) {
    ++counts[static_cast<size_t>(DrawnRuns(item, seed).draw(item.points[1].plan) / 100) - 1];
  }
  for (const int count : counts) {
    // 30: standard deviation of a binomially distributed count
    CHECK(std::abs(count - kDraws / 8) < 5 * 30);
  }
}

TEST_CASE("what cannot be drawn is said") {
  ProblemPoints item = two_plans();
  DrawnRuns runs(item, 1);
  CHECK_THROWS_WITH_AS(runs.draw(parse_cpu_plan("sortBits=9")), doctest::Contains("sortBits=9"),
                       InputError);
  for (int turn = 0; turn < 7; ++turn) {
    runs.draw(item.points[0].plan);
  }
  CHECK_THROWS_WITH_AS(runs.draw(item.points[0].plan), doctest::Contains("8 runs were recorded"),
                       InputError);
  CHECK_NOTHROW(runs.judging_ns(0));
  item.points[1].dropped = true;
  CHECK_THROWS_AS(runs.draw(item.points[1].plan), InputError);
}

TEST_CASE("the score of a tuner that times nothing is the regret of its plans") {
  const ProblemPoints first = make_problem(
      1 << 10, {recorded("sortBits=0", {1, 1, 1, 1}), recorded("sortBits=8", {3, 3, 3, 3})});
  const ProblemPoints second = make_problem(
      1 << 20, {recorded("sortBits=0", {8, 8, 8, 8}), recorded("sortBits=8", {4, 4, 4, 4})});
  const auto always_direct = [](const ProblemPoints&, const TimeRun&) { return size_t{0}; };
  const DrawnScore score = score_with_drawn_runs({&first, &second}, always_direct, 3, 1);
  CHECK(score.problems == 2);
  CHECK(score.draws == 3);
  CHECK(score.mean_regret == doctest::Approx(0.5));
  CHECK(score.max_regret == doctest::Approx(1));
  CHECK(score.mean_interval.low == doctest::Approx(0.5));
  CHECK(score.mean_interval.high == doctest::Approx(0.5));
}

TEST_CASE("one run of each plan finds the faster one where they are far apart") {
  const ProblemPoints item = make_problem(
      1 << 20, {recorded("sortBits=0", {8, 9, 8, 9}), recorded("sortBits=8", {4, 5, 4, 5})});
  const auto time_both = [](const ProblemPoints& problem, const TimeRun& time) {
    return time(problem.points[0].plan) < time(problem.points[1].plan) ? size_t{0} : size_t{1};
  };
  const DrawnScore score = score_with_drawn_runs({&item}, time_both, 50, 7);
  CHECK(score.mean_regret == 0);
  CHECK(score.max_regret == 0);
}

TEST_CASE("a plan that was dropped is not what others are compared with") {
  ProblemPoints item = make_problem(
      1 << 20, {recorded("sortBits=0", {8, 8, 8, 8}), recorded("sortBits=8", {4, 4, 4, 4})});
  item.points[1].dropped = true;
  const auto direct = [](const ProblemPoints&, const TimeRun&) { return size_t{0}; };
  CHECK(score_with_drawn_runs({&item}, direct, 1, 1).mean_regret == 0);
  CHECK(score_with_drawn_runs({}, direct, 1, 1).problems == 0);
}

}  // namespace drawn_runs_test
