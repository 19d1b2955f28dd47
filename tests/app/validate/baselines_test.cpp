#include "presort/app/validate/score/baselines.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/app/validate/validation_fixture.h"

namespace baselines_test {

using namespace presort;
using namespace presort::app;

namespace {

const Baseline* find(const std::vector<Baseline>& baselines, const std::string& name) {
  const auto found = std::find_if(baselines.begin(), baselines.end(),
                                  [&](const Baseline& entry) { return entry.name == name; });
  return found == baselines.end() ? nullptr : &*found;
}

std::vector<const ProblemPoints*> pointers(const std::vector<ProblemPoints>& all) {
  std::vector<const ProblemPoints*> result;
  for (const ProblemPoints& item : all) {
    result.push_back(&item);
  }
  return result;
}

}  // namespace

TEST_CASE("each fixed choice has the regret that a hand finds") {
  // Times for three problems. Expected by hand: the best plans are the loop (number 1), then the
  // sort by 8 bits (number 4).
  const std::vector<ProblemPoints> all = {
      make_problem(1 << 10, {make_point("sortBits=0", 1, 1),
                             make_point("sortBits=0,prefetchDistance=16", 1, 1.5),
                             make_point("sortBits=8", 1, 3), make_point("sortBits=9", 1, 4)}),
      make_problem(1 << 24, {make_point("sortBits=0", 1, 10),
                             make_point("sortBits=0,prefetchDistance=16", 1, 6),
                             make_point("sortBits=8", 1, 4), make_point("sortBits=9", 1, 5)}),
  };
  const std::vector<Baseline> baselines = fixed_choices(pointers(all));
  REQUIRE(baselines.size() == 4);
  const Baseline* always = find(baselines, "always sort");
  REQUIRE(always != nullptr);
  CHECK(always->plan == parse_cpu_plan("sortBits=8"));
  CHECK(always->points == 2);
  CHECK(always->mean_regret == doctest::Approx((2.0 + 0.0) / 2));
  CHECK(always->max_regret == doctest::Approx(2));
  CHECK(always->p95_regret == doctest::Approx(1.9));
  CHECK(find(baselines, "never sort")->mean_regret == doctest::Approx((0.0 + 1.5) / 2));
  CHECK(find(baselines, "never sort, with prefetch")->mean_regret ==
        doctest::Approx((0.5 + 0.5) / 2));
  CHECK(find(baselines, "best fixed plan")->plan ==
        parse_cpu_plan("sortBits=0,prefetchDistance=16"));
}

TEST_CASE("the choosing half chooses and the timing half tells the regret") {
  ProblemPoints item =
      make_problem(1 << 20, {make_point("sortBits=0", 1, 10), make_point("sortBits=6", 1, 1),
                             make_point("sortBits=8", 1, 1)});
  // In the first and third run only, this plan is faster than sortBits=8
  item.points[1].ns = {5, 9, 5, 9};
  item.points[2].ns = {6, 7, 6, 7};
  const std::vector<Baseline> baselines = fixed_choices({&item});
  const Baseline* always = find(baselines, "always sort");
  CHECK(always->plan == parse_cpu_plan("sortBits=6"));
  // The best plan of the grid is the one that "always sort" takes, so its regret is 0
  CHECK(always->mean_regret == doctest::Approx(0));
}

TEST_CASE("a plan that does not fit every problem does not win by that") {
  const std::vector<ProblemPoints> all = {
      make_problem(1 << 8, {make_point("sortBits=0", 1, 1), make_point("sortBits=8", 1, 9)}),
      make_problem(1 << 24, {make_point("sortBits=0", 1, 10), make_point("sortBits=8", 1, 5),
                             make_point("sortBits=10", 1, 4)}),
  };
  CHECK(find(fixed_choices(pointers(all)), "always sort")->plan == parse_cpu_plan("sortBits=8"));
}

TEST_CASE("a problem where the chosen plan was dropped is not counted") {
  std::vector<ProblemPoints> all = {
      make_problem(1 << 8, {make_point("sortBits=0", 1, 1), make_point("sortBits=8", 1, 9)}),
      make_problem(1 << 24, {make_point("sortBits=0", 1, 10), make_point("sortBits=8", 1, 5)}),
  };
  all[0].points[1].dropped = true;
  const std::vector<Baseline> baselines = fixed_choices(pointers(all));
  CHECK(find(baselines, "always sort")->points == 1);
  CHECK(find(baselines, "always sort")->mean_regret == doctest::Approx(0));
  CHECK(find(baselines, "never sort")->points == 2);
}

TEST_CASE("never sort keeps to 2 MiB pages, and takes 4 KiB ones when the grid has no others") {
  ProblemPoints item = make_problem(1 << 20, {make_point("sortBits=0,pageSize=2MiB", 1, 5),
                                              make_point("sortBits=0,pageSize=4KiB", 1, 4)});
  CHECK(find(fixed_choices({&item}), "never sort")->plan ==
        parse_cpu_plan("sortBits=0,pageSize=2MiB"));
  item.points[0].in_grid = false;
  CHECK(find(fixed_choices({&item}), "never sort")->plan ==
        parse_cpu_plan("sortBits=0,pageSize=4KiB"));
  CHECK(find(fixed_choices({&item}), "always sort") == nullptr);
  CHECK(find(fixed_choices({&item}), "never sort, with prefetch") == nullptr);
}

TEST_CASE("no problems, no baselines") {
  CHECK(fixed_choices({}).empty());
}

// Oracle: the mean regret of each plan, over problems and without noise: its time ÷ the least time
// − 1.
TEST_CASE("the best fixed plan has the least mean regret of all plans") {
  CHECK(rc::check("over random times", [] {
    const char* plans[] = {"sortBits=0", "sortBits=0,prefetchDistance=16", "sortBits=6",
                           "sortBits=8,pageSize=4KiB"};
    const auto problems = *rc::gen::inRange<size_t>(1, 6);
    std::vector<ProblemPoints> all;
    std::map<std::string, double> sums;
    for (size_t i = 0; i < problems; ++i) {
      std::vector<Point> points;
      double best = 1e9;
      for (const char* plan : plans) {
        const double ns = *rc::gen::inRange(1, 50);
        points.push_back(make_point(plan, 1, ns));
        best = std::min(best, ns);
      }
      for (const Point& point : points) {
        sums[to_string(point.plan)] += point.ns[0] / best - 1;
      }
      all.push_back(make_problem(uint64_t{1} << (10 + i), points));
    }
    double least = 1e9;
    for (const auto& [plan, sum] : sums) {
      least = std::min(least, sum / static_cast<double>(problems));
    }
    const std::vector<Baseline> baselines = fixed_choices(pointers(all));
    RC_ASSERT(std::abs(find(baselines, "best fixed plan")->mean_regret - least) < 1e-9);
    for (const Baseline& baseline : baselines) {
      RC_ASSERT(baseline.points == problems);
      RC_ASSERT(baseline.mean_regret >= least - 1e-9);
      const double sum = sums.at(to_string(baseline.plan.value()));
      RC_ASSERT(std::abs(baseline.mean_regret - sum / static_cast<double>(problems)) < 1e-9);
    }
  }));
}

}  // namespace baselines_test
