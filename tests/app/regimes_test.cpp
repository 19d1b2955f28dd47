#include "app/validate/regimes.h"

#include <doctest/doctest.h>

using namespace presort;
using namespace presort::app;

namespace {

Point make_point(double predicted, double measured) {
  Point point;
  point.prediction.ns_per_input = predicted;
  point.prediction.stack_ns = {{"core", predicted / 4}, {"memoryLatency", predicted * 3 / 4}};
  point.ns = {measured, measured};
  return point;
}

// Two direct points (+10 %, −20 %), a prefetched and a pre-sorted one, one that was dropped and one
// that was not run.
std::vector<ProblemPoints> six_points() {
  ProblemPoints item;
  item.points = {make_point(1.1, 1), make_point(0.8, 1), make_point(2, 1),
                 make_point(1, 1),   make_point(9, 1),   make_point(9, 1)};
  item.points[2].plan.base.prefetch_distance = 16;
  item.points[3].plan.presort = Presort{.sort_bits = 8};
  item.points[4].dropped = true;
  item.points[5].ns.clear();
  return {item};
}

}  // namespace

TEST_CASE("errors are told apart by kind of plan") {
  const std::vector<Regime> regimes = errors_by_regime(six_points());
  REQUIRE(regimes.size() == 3);
  CHECK(regimes[0].name.find("direct, ") == 0);
  CHECK(regimes[0].errors.points == 2);
  CHECK(regimes[0].errors.max_abs == doctest::Approx(0.2));
  CHECK(regimes[0].bias == doctest::Approx(-0.05));
  CHECK(regimes[1].name.find("direct with prefetch, ") == 0);
  CHECK(regimes[1].bias == doctest::Approx(1));
  CHECK(regimes[2].name.find("pre-sorted, passes 1, ") == 0);
}

TEST_CASE("page sizes are regimes of their own") {
  std::vector<ProblemPoints> all = six_points();
  all[0].points[0].plan.resources.page_size = PageSize::k4KiB;
  all[0].points[1].plan.resources.page_size = PageSize::k2MiB;
  CHECK(errors_by_regime(all).size() == 4);
}

TEST_CASE("the worst points come first, with what most of their prediction is") {
  const std::vector<ProblemPoints> all = six_points();
  const std::vector<WorstPoint> worst = worst_points(all, 2);
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].point == &all[0].points[2]);
  CHECK(worst[0].error == doctest::Approx(1));
  CHECK(worst[0].term == "memoryLatency");
  CHECK(worst[0].term_share == doctest::Approx(0.75));
  CHECK(worst[1].point == &all[0].points[1]);
  CHECK(worst_points(all, 99).size() == 4);
  CHECK(worst_points({}, 5).empty());
  CHECK(errors_by_regime({}).empty());
}
