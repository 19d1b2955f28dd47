#include "presort/app/validate/score/regret.h"

#include <doctest/doctest.h>

namespace regret_test {

using namespace presort::app;

TEST_CASE("even repeats choose the best plan, odd ones time it") {
  // Times of two plans: the first plan is the faster one in even runs and the slower one in odd
  // runs.
  const std::vector<Repeats> grid = {{4, 9, 4, 9}, {5, 6, 5, 6}};
  CHECK(choose_best(grid) == 0);
  CHECK(timed(grid[0]) == doctest::Approx(9));
  CHECK(split_half_regret({8, 9, 8, 9}, grid) == doctest::Approx(0));
  CHECK(split_half_regret({8, 18, 8, 18}, grid) == doctest::Approx(1));
}

TEST_CASE("the choosing half has a regret of its own, never negative for a plan of the grid") {
  const std::vector<Repeats> grid = {{4, 9, 4, 9}, {5, 6, 5, 6}};
  CHECK(choosing_half_regret(grid[0], grid) == doctest::Approx(0));
  CHECK(choosing_half_regret(grid[1], grid) == doctest::Approx(0.25));
}

TEST_CASE("the regret is negative when the tuned plan beats the grid") {
  CHECK(split_half_regret({5, 5, 5, 5}, {{10, 10, 10, 10}}) == doctest::Approx(-0.5));
}

TEST_CASE("without noise the interval is the regret itself") {
  const RegretCase steady = {{11, 11, 11, 11}, {{10, 10, 10, 10}, {20, 20, 20, 20}}};
  const RegretResult result = evaluate_regret({steady, steady}, 50, 1);
  REQUIRE(result.regrets.size() == 2);
  CHECK(result.mean_regret == doctest::Approx(0.1));
  CHECK(result.mean_interval.low == doctest::Approx(0.1));
  CHECK(result.mean_interval.high == doctest::Approx(0.1));
}

TEST_CASE("with noise the interval holds the regret and is the same for the same seed") {
  const RegretCase noisy = {{10, 11, 12, 10, 11, 12, 10, 11}, {{9, 10, 11, 9, 10, 11, 9, 10}}};
  const RegretResult result = evaluate_regret({noisy}, 500, 7);
  CHECK(result.intervals[0].low < result.regrets[0]);
  CHECK(result.intervals[0].high > result.regrets[0]);
  CHECK(evaluate_regret({noisy}, 500, 7).mean_interval.high == result.mean_interval.high);
}

TEST_CASE("no cases give no regret") {
  CHECK(evaluate_regret({}, 10, 1).regrets.empty());
}

}  // namespace regret_test
