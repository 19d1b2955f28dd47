#include "app/validate/points.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace presort::app {
namespace {

io::RecordedPoint recorded(uint64_t m, const char* plan, double ns, bool in_grid = true) {
  return {.problem = {.n = 1 << 20, .m = m, .distribution = {}, .types = {}},
          .plan = parse_plan(plan),
          .in_grid = in_grid,
          .ns = {ns, ns},
          .raw_ns = {ns, ns}};
}

TEST_CASE("recorded points are grouped by problem; those of the old tuner alone are left out") {
  const auto all =
      make_points({recorded(256, "sortBits=0", 1), recorded(1 << 20, "sortBits=0", 4),
                   recorded(256, "sortBits=8", 2), recorded(1 << 20, "sortBits=9", 3, false)});
  REQUIRE(all.size() == 2);
  CHECK(all[0].points.size() == 2);
  CHECK(all[0].points[1].measured() == 2);
  CHECK(all[1].points.size() == 1);
  CHECK(all[1].measured);
}

TEST_CASE("a problem without a direct plan has nothing to be judged by") {
  CHECK_THROWS_AS(make_points({recorded(256, "sortBits=8", 2)}), InputError);
  CHECK_THROWS_AS(make_points({.problems = {recorded(256, "sortBits=8", 2).problem},
                               .plans = {parse_plan("sortBits=8")}},
                              nullptr),
                  InputError);
}

TEST_CASE("without a tuned file the fastest prediction is the choice") {
  auto all = make_points({recorded(1 << 20, "sortBits=0", 4), recorded(1 << 20, "sortBits=8", 2),
                          recorded(1 << 20, "sortBits=9", 3)});
  const double predicted[] = {4, 3, 2};
  for (size_t i = 0; i < 3; ++i) {
    Prediction& prediction = all[0].points[i].prediction;
    prediction.plan = all[0].points[i].plan;
    prediction.problem = all[0].problem;
    prediction.ns_per_input = predicted[i];
  }
  choose_plans(all);
  CHECK(all[0].tuned == 2);
  CHECK(all[0].direct == 0);
}

}  // namespace
}  // namespace presort::app
