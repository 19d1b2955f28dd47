#include "presort/app/validate/ablation/figures.h"

#include <doctest/doctest.h>

#include "presort/app/validate/report/summary.h"
#include "tests/app/validate/validation_fixture.h"

namespace figures_test {

using namespace presort;
using namespace presort::app;

namespace {

// Four problems: the tuner's plan of one is dropped, its decision for another is wrong.
std::vector<ProblemPoints> some_problems() {
  std::vector<ProblemPoints> all = {
      make_problem(1 << 10, {make_point("sortBits=0", 1, 1.1), make_point("sortBits=8", 3, 2)}),
      make_problem(1 << 16, {make_point("sortBits=0", 4, 6), make_point("sortBits=8", 3, 2)}, 1),
      make_problem(1 << 20, {make_point("sortBits=0", 5, 9), make_point("sortBits=8", 6, 3)}),
      make_problem(1 << 24, {make_point("sortBits=0", 9, 9), make_point("sortBits=8", 6, 4)}, 1)};
  all[3].points[1].dropped = true;
  return all;
}

LoopPoint make_loop(double predicted, double measured) {
  LoopPoint point;
  point.prediction = {predicted, 0, {}};
  point.ns = std::vector<double>(4, measured);
  return point;
}

}  // namespace

TEST_CASE("figures of kernels are those of a validation's summary") {
  const std::vector<ProblemPoints> all = some_problems();
  Machine machine;
  machine.caches = {{.name = "L1d", .size_bytes = 32 << 10}};
  const Summary summary = summarise(all, machine);
  const Figures figures = judge_kernels(all).figures;
  CHECK(figures.points == summary.errors.points);
  CHECK(figures.points == 7);
  CHECK(figures.median_error == summary.errors.median_abs);
  CHECK(figures.p90_error == summary.errors.p90_abs);
  CHECK(figures.problems == summary.regret_points);
  CHECK(figures.problems == 3);
  CHECK(figures.right == 2);
  CHECK(static_cast<double>(figures.right) / 3 == doctest::Approx(summary.right_decision));
  CHECK(figures.mean_regret == doctest::Approx(summary.mean_regret));
  // One of three problems took 9 ns instead of 3
  CHECK(figures.mean_regret == doctest::Approx(2.0 / 3));
}

TEST_CASE("a decision counts where the runs of the chosen plan were dropped") {
  std::vector<ProblemPoints> all = some_problems();
  all[3].points.push_back(make_point("sortBits=10", 7, 4));
  const Figures figures = judge_kernels(all).figures;
  CHECK(figures.problems == 4);
  CHECK(figures.right == 3);
  CHECK(figures.mean_regret == doctest::Approx(2.0 / 3));
}

TEST_CASE("times are of the kept points, as they are judged") {
  std::vector<ProblemPoints> all = some_problems();
  Point& beside = all[0].points[1];
  beside.beside_siblings = beside.prediction;
  beside.beside_siblings->ns_per_input = 7;
  CHECK(judge_kernels(all).times == std::vector<double>{1, 7, 4, 3, 5, 6, 9});
}

TEST_CASE("loops have errors and no choices") {
  const Outcome outcome = judge_loops({make_loop(1, 2), make_loop(3, 3), make_loop(11, 10)});
  CHECK(outcome.times == std::vector<double>{1, 3, 11});
  CHECK(outcome.figures.points == 3);
  CHECK(outcome.figures.median_error == doctest::Approx(0.1));
  CHECK(outcome.figures.problems == 0);
}

TEST_CASE("a point moves by more than a hundredth") {
  CHECK(count_moved({100, 100, 100}, {100, 101, 102}) == 1);
  CHECK(count_moved({}, {}) == 0);
}

}  // namespace figures_test
