#include "presort/app/validate/score/measured_score.h"

#include <doctest/doctest.h>

#include "presort/core/error.h"
#include "tests/app/validate/validation_fixture.h"

namespace measured_score_test {

using namespace presort;
using namespace presort::app;

namespace {

// A problem with two plans of eight runs each; the plan that is slower by little is predicted to be
// the faster one.
ProblemPoints mistaken(uint64_t m) {
  ProblemPoints item =
      make_problem(m, {make_point("sortBits=0", 4.0, 5.0), make_point("sortBits=8", 4.1, 4.0)});
  for (Point& point : item.points) {
    point.ns = point.raw_ns = std::vector<double>(8, point.ns[0]);
  }
  return item;
}

}  // namespace

TEST_CASE("timed runs put a wrong prediction right") {
  const std::vector<ProblemPoints> all = {mistaken(1 << 20), mistaken(1 << 22)};
  const MeasuredScore score = measured_score(all, 4);
  CHECK(score.runs == 4);
  CHECK(score.score.problems == 2);
  CHECK(score.score.max_regret == 0);
}

TEST_CASE("tune times plans that are close, and puts a wrong prediction right") {
  const MeasuredScore score = measured_score_of_tune({mistaken(1 << 20), mistaken(1 << 22)});
  CHECK(score.runs == kRunsOfTune);
  CHECK(score.score.problems == 2);
  CHECK(score.score.max_regret == 0);
}

TEST_CASE("tune times nothing where the choice is clear or runs are too long: a mistake stands") {
  std::vector<ProblemPoints> all = {mistaken(1 << 20), mistaken(1 << 20)};
  all[0].points[1].prediction.ns_per_input = 400;
  all[1].problem.n = uint64_t{1} << 27;  // a run and one before it take 1 s of the 0.2 s
  const MeasuredScore score = measured_score_of_tune(all);
  CHECK(score.score.mean_regret == doctest::Approx(0.25));
  CHECK(score.score.max_regret == doctest::Approx(0.25));
}

TEST_CASE("tune draws at most half of the runs of a plan") {
  std::vector<ProblemPoints> all = {mistaken(1 << 20)};
  for (Point& point : all[0].points) {
    point.raw_ns.resize(2);
    point.ns.resize(2);
  }
  CHECK(measured_score_of_tune(all).score.max_regret == 0);
  for (Point& point : all[0].points) {
    point.raw_ns.resize(1);
    point.ns.resize(1);
  }
  CHECK(measured_score_of_tune(all).score.max_regret == doctest::Approx(0.25));
}

TEST_CASE("points that were dropped, and problems that were not measured, do not take part") {
  std::vector<ProblemPoints> all = {mistaken(1 << 20), mistaken(1 << 22), mistaken(1 << 24)};
  all[0].points[1].dropped = true;  // the best plan is dropped: the loop is the best kept one
  all[1].measured = false;
  all[2].points[0].dropped = true;
  all[2].points[1].dropped = true;
  const MeasuredScore score = measured_score(all, 2);
  CHECK(score.score.problems == 1);
  CHECK(score.score.max_regret == 0);
}

TEST_CASE("a run must be left to judge by") {
  const std::vector<ProblemPoints> all = {mistaken(1 << 20)};
  CHECK_NOTHROW(measured_score(all, 7));
  CHECK_THROWS_WITH_AS(measured_score(all, 8),
                       doctest::Contains("--measure: found 8, accepted: 1 to 7; of multireduce"),
                       InputError);
}

}  // namespace measured_score_test
