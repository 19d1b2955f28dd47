#include "app/validate/summary.h"

#include <doctest/doctest.h>

#include "app/validate/result_files.h"

using namespace presort;
using namespace presort::app;

namespace {

Point make_point(int sort_bits, double predicted, double measured) {
  Point point;
  if (sort_bits > 0) {
    point.plan.presort = Presort{.sort_bits = sort_bits};
  }
  point.in_grid = true;
  point.prediction.ns_per_input = predicted;
  point.raw_ns = std::vector<double>(4, measured);
  point.ns = point.raw_ns;
  return point;
}

// Direct, then a pre-sort by 8 bits; the tuner took the one that it predicts to be faster.
ProblemPoints make_problem(uint64_t m, double direct_predicted, double direct_measured,
                           double sorted_predicted, double sorted_measured) {
  ProblemPoints item;
  item.problem.n = 1 << 20;
  item.problem.m = m;
  item.points = {make_point(0, direct_predicted, direct_measured),
                 make_point(8, sorted_predicted, sorted_measured)};
  item.tuned = sorted_predicted < direct_predicted ? 1 : 0;
  item.direct = 0;
  item.measured = true;
  return item;
}

}  // namespace

TEST_CASE("errors, regret, decision and crossover of a small validation") {
  const std::vector<ProblemPoints> all = {
      make_problem(1 << 10, 1.0, 1.0, 4.0, 4.0),    // direct, rightly
      make_problem(1 << 16, 4.5, 6.0, 5.0, 5.0),    // direct, wrongly: 20 % lost
      make_problem(1 << 22, 11.0, 10.0, 5.0, 5.0),  // pre-sorted, rightly
  };
  const Summary summary = summarise(all);
  CHECK(summary.points == 6);
  CHECK(summary.errors.points == 6);
  CHECK(summary.errors.max_abs == doctest::Approx(0.25));
  CHECK(summary.regret_points == 3);
  CHECK(summary.mean_regret == doctest::Approx(0.2 / 3));
  CHECK(summary.max_regret == doctest::Approx(0.2));
  CHECK(summary.within_5_percent == doctest::Approx(2.0 / 3));
  CHECK(summary.right_decision == doctest::Approx(2.0 / 3));
  REQUIRE(summary.groups.size() == 1);
  CHECK(summary.groups[0].predicted_crossover == 1 << 22);
  CHECK(summary.groups[0].measured_crossover == 1 << 16);
}

TEST_CASE("either decision is right when the two differ by less than 5 %") {
  const std::vector<ProblemPoints> all = {make_problem(1 << 16, 4.0, 5.1, 5.0, 5.0)};
  CHECK(summarise(all).right_decision == doctest::Approx(1));
}

TEST_CASE("dropped points count in no number but are listed") {
  std::vector<ProblemPoints> all = {make_problem(1 << 10, 1.0, 1.0, 4.0, 8.0)};
  all[0].points[1].dropped = true;
  const Summary summary = summarise(all);
  CHECK(summary.points == 2);
  CHECK(summary.errors.points == 1);
  CHECK(summary.errors.max_abs == doctest::Approx(0));
  CHECK(summary.dropped.size() == 1);
}

TEST_CASE("problems that were not measured are left out") {
  std::vector<ProblemPoints> all = {make_problem(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  all[0].measured = false;
  for (Point& point : all[0].points) {
    point.ns.clear();
  }
  const Summary summary = summarise(all);
  CHECK(summary.points == 0);
  CHECK(summary.groups.empty());
}

TEST_CASE("the JSON has the promised fields and a line for each point") {
  const std::vector<ProblemPoints> all = {make_problem(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  const io::Json json = summary_json(summarise(all), {}, true);
  for (const char* field : {"points", "median_abs_error", "p90_abs_error", "max_abs_error"}) {
    CHECK(json["prediction"].contains(field));
  }
  for (const char* field : {"points", "mean_regret", "p95_regret", "max_regret", "within_5_percent",
                            "right_decision"}) {
    CHECK(json["tuning"].contains(field));
  }
  const std::string lines = result_lines(all, Machine());
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
  CHECK(io::Json::parse(lines.substr(0, lines.find('\n'))).contains("machine"));
}
