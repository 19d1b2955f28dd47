#include "presort/app/validate/report/summary.h"

#include <doctest/doctest.h>

#include "presort/app/validate/report/result_files.h"
#include "presort/app/validate/report/summary_text.h"
#include "tests/app/validate/validation_fixture.h"

namespace summary_test {

using namespace presort;
using namespace presort::app;

namespace {

// A problem with two points, direct and a pre-sort by 8 bits; the tuner took the plan that is
// predicted to be faster.
ProblemPoints direct_and_sorted(uint64_t m, double direct_predicted, double direct_measured,
                                double sorted_predicted, double sorted_measured) {
  return make_problem(m,
                      {make_point("sortBits=0", direct_predicted, direct_measured),
                       make_point("sortBits=8", sorted_predicted, sorted_measured)},
                      sorted_predicted < direct_predicted ? 1 : 0);
}

Summary summary_of(const std::vector<ProblemPoints>& all) {
  return summarise(all, Machine());
}

}  // namespace

TEST_CASE("errors, regret, decision and crossover of a small validation") {
  const std::vector<ProblemPoints> all = {
      direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0),    // tuner rightly takes direct
      direct_and_sorted(1 << 16, 4.5, 6.0, 5.0, 5.0),    // tuner wrongly takes direct: 20 % lost
      direct_and_sorted(1 << 22, 11.0, 10.0, 5.0, 5.0),  // tuner rightly pre-sorts
  };
  const Summary summary = summary_of(all);
  CHECK(summary.points == 6);
  CHECK(summary.errors.points == 6);
  CHECK(summary.errors.max_abs == doctest::Approx(0.25));
  CHECK(summary.regret_points == 3);
  CHECK(summary.mean_regret == doctest::Approx(0.2 / 3));
  CHECK(summary.max_regret == doctest::Approx(0.2));
  CHECK(summary.within_5_percent == doctest::Approx(2.0 / 3));
  CHECK(summary.right_decision == doctest::Approx(2.0 / 3));
  REQUIRE(summary.groups.size() == 1);
  CHECK(summary.groups[0].crossover.predicted == 1 << 22);
  CHECK(summary.groups[0].crossover.measured == 1 << 16);
}

TEST_CASE("either decision is right when the two differ by less than 5 %") {
  const std::vector<ProblemPoints> all = {direct_and_sorted(1 << 16, 4.0, 5.1, 5.0, 5.0)};
  CHECK(summary_of(all).right_decision == doctest::Approx(1));
}

// A decision, to pre-sort or not, is clear where the two differ by more than 10 %.
TEST_CASE("decisions of clear problems are counted apart") {
  const std::vector<ProblemPoints> all = {
      direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0),  // decision clear and right
      direct_and_sorted(1 << 16, 4.0, 5.4, 5.0, 5.0),  // gap of 8 %: decision wrong, but not clear
      direct_and_sorted(1 << 20, 4.0, 5.6, 5.0, 5.0),  // decision clear and wrong
  };
  const Summary summary = summary_of(all);
  CHECK(summary.right_decision == doctest::Approx(1.0 / 3));
  CHECK(summary.clear_problems == 2);
  CHECK(*summary.right_decision_of_clear == doctest::Approx(0.5));
  CHECK(summary.groups[0].rows[0].gap() == doctest::Approx(3));
  CHECK(summary_of({all[1]}).right_decision_of_clear == std::nullopt);
}

TEST_CASE("a problem with plans of one side only has no gap") {
  std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  all[0].points[1].in_grid = false;
  const Summary summary = summary_of(all);
  CHECK(summary.groups[0].rows[0].gap() == 0);
  CHECK(summary.clear_problems == 0);
}

TEST_CASE("baselines are judged on the problems that the tuner is judged on") {
  std::vector<ProblemPoints> all = {
      direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0),
      direct_and_sorted(1 << 22, 11.0, 10.0, 5.0, 5.0),
  };
  CHECK(summary_of(all).baselines.front().points == 2);
  all[1].points[1].dropped = true;  // drops the point of the tuner's plan
  const Summary summary = summary_of(all);
  CHECK(summary.regret_points == 1);
  for (const Baseline& baseline : summary.baselines) {
    CHECK(baseline.points == 1);
  }
}

TEST_CASE("the spread of the runs is told beside the errors") {
  std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  all[0].points[0].ns = {9, 10, 10, 11};
  const Summary summary = summary_of(all);
  CHECK(summary.median_spread == doctest::Approx(0.025));
  CHECK(summary.p90_spread == doctest::Approx(0.045));
}

TEST_CASE("dropped points count in no number but are listed") {
  std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 8.0)};
  all[0].points[1].dropped = true;
  const Summary summary = summary_of(all);
  CHECK(summary.points == 2);
  CHECK(summary.errors.points == 1);
  CHECK(summary.errors.max_abs == doctest::Approx(0));
  CHECK(summary.dropped.size() == 1);
}

TEST_CASE("problems that were not measured are left out") {
  std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  all[0].measured = false;
  for (Point& point : all[0].points) {
    point.ns.clear();
  }
  const Summary summary = summary_of(all);
  CHECK(summary.points == 0);
  CHECK(summary.groups.empty());
}

TEST_CASE("the JSON has the promised fields and a line for each point") {
  const std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  const io::Json json = summary_json(summary_of(all), {}, true);
  for (const char* field : {"points", "median_abs_error", "p90_abs_error", "max_abs_error",
                            "median_spread", "p90_spread"}) {
    CHECK(json["prediction"].contains(field));
  }
  for (const char* field : {"points", "mean_regret", "p95_regret", "max_regret", "within_5_percent",
                            "right_decision", "clear_problems", "right_decision_of_clear"}) {
    CHECK(json["tuning"].contains(field));
  }
  CHECK(json["tuning"]["baselines"][0]["name"] == "always sort");
  CHECK(json["groups"][0]["crossovers"][0]["page_size"] == "2MiB");
  CHECK(json["errors_by"]["buckets_fit_in"][0]["points"] == 2);
  CHECK(json["errors_by_regime"] == json["errors_by"]["plan"]);
  const std::string lines = result_lines(all, Machine(), true);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
  CHECK(io::Json::parse(lines.substr(0, lines.find('\n'))).contains("machine"));
}

TEST_CASE("points beside busy siblings are told apart, with their errors by either prediction") {
  std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.5, 4.0, 4.0)};
  for (Point& point : all[0].points) {
    point.quiet = 4;
  }
  CHECK(summary_text(summary_of(all), Machine(), true).find("sibling") == std::string::npos);
  Point& beside = all[0].points[0];
  beside.quiet = 1;
  beside.beside_siblings.emplace(beside.prediction).ns_per_input = 1.5;
  const Summary summary = summary_of(all);
  CHECK(summary.beside_siblings == 1);
  CHECK(summary.errors.max_abs == doctest::Approx(0));
  CHECK(summary.quiet_core_errors.max_abs == doctest::Approx(1.0 / 3));
  CHECK(summary_text(summary, Machine(), true).find("1 beside a busy sibling, predicted with") !=
        std::string::npos);
  const io::Json json = summary_json(summary, {}, true);
  CHECK(json["points_beside_busy_siblings"] == 1);
  CHECK(json["prediction_of_quiet_cores"]["points"] == 2);
  const std::string lines = result_lines(all, Machine(), true);
  const io::Json line = io::Json::parse(lines.substr(0, lines.find('\n')));
  CHECK(line["predicted_ns_per_input"] == 1.5);
  CHECK(line["predicted_on_quiet_cores_ns_per_input"] == 1.0);
  CHECK(line["predicted_beside_siblings_ns_per_input"] == 1.5);
  CHECK(line["beside_busy_siblings"] == true);
}

TEST_CASE("the text names what was found, and leaves out what there is nothing of") {
  const std::vector<ProblemPoints> all = {
      direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0),
      direct_and_sorted(1 << 22, 11.0, 10.0, 5.0, 5.0),
  };
  const Summary summary = summary_of(all);
  const std::string text =
      summary_text(summary, Machine(), true) + table_text(baselines_table(summary)) +
      table_text(crossovers_table(summary)) + table_text(regimes_table(summary.regimes)) +
      table_text(worst_table(summary));
  for (const char* part :
       {"100.0 % of the 2 clear ones", "run-to-run spread", "1 of 1 with 2MiB pages",
        "sort 8 bits in 1 pass", "never sort", "  pre-sorted, passes 1", "2^22"}) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  }
  // The text leaves out a grouping that has a single class
  CHECK(text.find("threads") == std::string::npos);

  const Summary nothing = summary_of({});
  CHECK(table_text(baselines_table(nothing)).empty());
  CHECK(table_text(crossovers_table(nothing)).empty());
  CHECK(table_text(regimes_table(nothing.regimes)).empty());
  CHECK(table_text(worst_table(nothing)).empty());
  CHECK(summary_text(nothing, Machine(), false).find("regret") == std::string::npos);
}

TEST_CASE("where less than half of the runs were quiet, that comes first") {
  std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  std::vector<Point>& points = all.front().points;
  const size_t runs = points[0].ns.size();
  points[0].quiet = runs;
  points[1].quiet = 0;
  CHECK_FALSE(summary_of(all).too_few_quiet());  // half of the runs are quiet
  points[0].quiet = runs - 1;
  const Summary summary = summary_of(all);
  CHECK(summary_text(summary, Machine(), true)
            .find("TOO BUSY     this machine was too busy to judge predictions by: ") == 0);
  const io::Json json = summary_json(summary, {}, true);
  CHECK(json["too_busy"] == true);
  CHECK(json["headline"].get<std::string>().find("--wait-quiet") != std::string::npos);
}

TEST_CASE("the summary opens with a machine that was too busy, in text and JSON") {
  std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  for (Point& point : all.front().points) {
    point.quiet = point.ns.size();
  }
  Summary summary = summary_of(all);
  CHECK(summary_text(summary, Machine(), true).find("presort ") == 0);
  CHECK(summary_json(summary, {}, true)["machine_load"].is_null());
  CHECK(summary_json(summary, {}, true)["too_busy"].is_null());
  summary.load = probe::judge_load({.seconds = 3, .processors = 2, .others = 0.96}, 1);
  CHECK(summary_text(summary, Machine(), true)
            .find("TOO BUSY     the machine was too busy for these figures to be believed: other "
                  "processes used 96 % of the 2 processors\npresort ") == 0);
  const io::Json json = summary_json(summary, {}, true);
  CHECK(json["too_busy"] == true);
  CHECK(json["machine_load"]["verdict"] == "too_busy");
  CHECK(json["headline"] == "");
  const std::string lines = result_lines(all, Machine(), true, summary.load);
  CHECK(io::Json::parse(lines.substr(0, lines.find('\n')))["machine_load"]["others"] == 0.96);
}

TEST_CASE("the summary repeats what the probe warned of") {
  Machine machine;
  machine.provenance = {{"warning.1", "one core only"}, {"warning.2", "the clock moved"}};
  const std::vector<ProblemPoints> all = {direct_and_sorted(1 << 10, 1.0, 1.0, 4.0, 4.0)};
  const Summary summary = summarise(all, machine);
  CHECK(summary_text(summary, machine, true)
            .find("probe        one core only\n             the clock moved\n") !=
        std::string::npos);
  CHECK(summary_json(summary, {}, true)["probe_warnings"][1] == "the clock moved");
}

TEST_CASE("the overall crossover stands in the summary with its factor") {
  std::vector<ProblemPoints> all = {
      direct_and_sorted(1 << 20, 4.5, 6.0, 5.0, 5.0),  // as measured, a pre-sort is the fastest
      direct_and_sorted(1 << 22, 9.0, 9.0, 5.0, 5.0),
  };
  const Summary summary = summary_of(all);
  CHECK(summary_text(summary, Machine(), true)
            .find("crossover    predicted m = 2^22, measured m = 2^20 (4 times off)\n") !=
        std::string::npos);
  const TableData table = crossovers_table(summary);
  CHECK(table.header[3] == "factor");
  CHECK(table.rows[0][3] == "4 x");
  CHECK(summary_json(summary, {}, true)["groups"][0]["crossover_factor"] == 4);
  // Adds problems of other types, whose crossover is predicted right
  for (ProblemPoints item : std::vector(all)) {
    item.problem.types.value = ScalarType::f64;
    item.points[0].prediction.ns_per_input = item.points[0].measured();
    all.push_back(item);
  }
  CHECK(summary_text(summary_of(all), Machine(), true)
            .find("crossover    predicted within a factor of two: 1 of 2; furthest off is that of\n"
                  "             multireduce n=2^20 uniform u32+u32: predicted m = 2^22, measured m "
                  "= 2^20 (4 times off)\n") != std::string::npos);
}

}  // namespace summary_test
