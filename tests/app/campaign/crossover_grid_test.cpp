// Tests crossovers, best plans and sensitivities on rows whose times follow a formula.
#include "presort/app/campaign/report/crossover_grid.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "presort/app/campaign/report/campaign_page.h"

namespace presort::app::campaign::crossover_grid_test {

namespace {

io::Campaign campaign() {
  io::Campaign made;
  made.mode = io::CampaignMode::predict;
  made.machines = {"a"};
  made.set = {{"memory.latency", {"40ns", "80ns", "160ns"}}, {"cpu.cores", {"1", "2"}}};
  made.n = {1 << 20};
  for (uint64_t m = 16; m <= uint64_t{1} << 24; m *= 4) {
    made.m.push_back(m);
  }
  made.plans = {CpuPlan{}, parse_cpu_plan("sortBits=4"), parse_cpu_plan("sortBits=5")};
  return made;
}

double latency_of(const Points& points, const std::vector<size_t>& at) {
  return number_of_value(points.axes()[1].values[at[1]]).value();
}

// A gain of 1.05 at m = 2^20 / latency, as the square root of both.
double gain_of(const Points& points, const std::vector<size_t>& at) {
  const double m = static_cast<double>(points.problem(at).m);
  return 1.05 * std::sqrt(m * latency_of(points, at) / (1 << 20));
}

std::vector<io::CampaignRow> rows_of(const Points& points) {
  std::vector<io::CampaignRow> rows;
  for (uint64_t i = 0; i < points.size(); ++i) {
    const std::vector<size_t> at = points.indices(i);
    io::CampaignRow row = {i, {}, {}, "", ""};
    if (at.back() == 0) {
      row.direct_ns = gain_of(points, at);
    } else {
      row.presorted_ns = at.back() == 1 ? 1.5 : 1.0;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("the crossover is the least m with a gain, as a loop over m finds it") {
  const Points points(campaign());
  const auto rows = rows_of(points);
  const Results results(points, rows);
  for (uint64_t i = 0; i < points.size(); ++i) {
    const std::vector<size_t> at = points.indices(i);
    std::vector<size_t> place = at;
    uint64_t expected = 0;
    for (size_t k = points.campaign().m.size(); k-- > 0;) {
      place[place.size() - 2] = k;
      expected = gain_of(points, place) >= 1.05 ? points.campaign().m[k] : expected;
    }
    CHECK(results.crossover(at) == expected);
    CHECK(*results.smooth_crossover(at) ==
          doctest::Approx((1 << 20) / latency_of(points, at)).epsilon(1e-9));
    const Best best = results.best(at);
    CHECK(*best.direct_ns == gain_of(points, at));
    CHECK(*best.presorted_ns == 1);
    CHECK(best.plan == to_string(points.campaign().plans[gain_of(points, at) < 1 ? 0 : 2]));
  }
}

TEST_CASE("twice the latency, half the m: a slope of -1; what does not matter has 0") {
  const Points points(campaign());
  const auto rows = rows_of(points);
  const auto all = sensitivities(Results(points, rows));
  REQUIRE(all.size() == 2);
  CHECK(all[0].key == "memory.latency");
  CHECK(all[0].lines == 2);
  CHECK(all[0].median == doctest::Approx(-1));
  CHECK(all[0].least == doctest::Approx(-1));
  CHECK(all[1].key == "cpu.cores");
  CHECK(all[1].lines == 3);
  CHECK(all[1].largest == doctest::Approx(0));
}

TEST_CASE("a page of no rows has empty maps, and names are escaped") {
  io::Campaign made = campaign();
  made.machines = {"<b>", "c"};
  const Points points(made);
  const Results results(points, {});
  PageAxes axes = {0, 1, std::vector<size_t>(points.axes().size())};
  const std::string page = campaign_page("t", results, axes);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("&lt;b&gt;") != std::string::npos);
  CHECK(sensitivities(results).empty());
  CHECK(!results.crossover(axes.at));
}

TEST_CASE("values of machine keys are numbers with units") {
  CHECK(number_of_value("2MiB") == 2097152.0);
  CHECK(number_of_value("80ns") == 80.0);
  CHECK(number_of_value("1us") == 1000.0);
  CHECK(number_of_value("2.5GHz") == 2.5e9);
  CHECK(number_of_value("7") == 7.0);
  CHECK(!number_of_value("lru"));
  CHECK(!number_of_value("3 apples"));
}

}  // namespace presort::app::campaign::crossover_grid_test
