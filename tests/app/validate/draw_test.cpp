#include "presort/app/validate/draw/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "presort/app/validate/draw/draw_problem.h"
#include "presort/core/error.h"
#include "presort/cpu/runner/runner.h"

namespace draw_test {

using namespace presort;
using namespace presort::app;

namespace {

constexpr uint64_t kRoom = uint64_t{8} << 30;

std::vector<std::string> texts(const Drawn& drawn) {
  std::vector<std::string> all;
  for (const ProblemPoints& item : drawn.problems) {
    all.push_back(to_string(item.problem) + " " + std::to_string(item.problem.seed));
    for (const Point& point : item.points) {
      all.push_back(to_string(point.plan));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("draws repeat for a seed, differ between seeds, and have the points asked for") {
  const DrawLimits limits{.memory_bytes = kRoom, .threads = 4, .reps = 4};
  const Drawn drawn = draw_points(150, 21, limits);
  CHECK(texts(drawn) == texts(draw_points(150, 21, limits)));
  CHECK(texts(drawn) != texts(draw_points(150, 22, limits)));
  size_t points = 0;
  for (const ProblemPoints& item : drawn.problems) {
    points += item.points.size() + 1;  // the drawn plans and the one that the tuner will add
  }
  CHECK(points >= 150);
  CHECK(points < 156);
  CHECK(drawn.record.problems == drawn.problems.size());
  CHECK(drawn.record.estimated_s <= 150 * kSecondsPerPoint + kSecondsPerPoint * 6);
}

TEST_CASE("what is drawn is legal, fits, and has a plan without a pre-sort first") {
  const Drawn drawn = draw_points(600, 5, {.memory_bytes = kRoom, .threads = 3, .reps = 4});
  for (const ProblemPoints& item : drawn.problems) {
    CAPTURE(to_string(item.problem));
    CHECK_NOTHROW(check_problem(item.problem));
    CHECK_FALSE(item.points.front().plan.presort);
    std::set<std::string> different;
    for (const Point& point : item.points) {
      CAPTURE(to_string(point.plan));
      CHECK_NOTHROW(check_plan(point.plan, item.problem));
      CHECK(point.plan.resources.threads <= 3);
      CHECK(cpu::required_bytes(item.problem, point.plan, false) <= kRoom);
      different.insert(to_string(point.plan));
    }
    CHECK(different.size() == item.points.size());
  }
}

TEST_CASE("every operation, type, kind of labels, page size and number of threads is drawn") {
  std::set<std::string> operations, types, kinds, pages;
  std::set<int> threads;
  bool two_passes = false, chunks = false, sets = false, ranges = false, tables = false;
  for (uint64_t turn = 0; turn < 4000; ++turn) {
    Dice dice(turn);
    const Problem problem = draw_problem(dice);
    operations.insert(to_name(kOperations, problem.operation));
    types.insert(to_string(problem.types));
    const std::string labels = to_string(problem.distribution);
    CHECK(parse_distribution("dist", labels) == problem.distribution);
    kinds.insert(labels.substr(0, labels.find(':')));
    CHECK(problem.n >= (1 << 16));
    CHECK(problem.n <= (1 << 27));
    CHECK(problem.m >= 16);
    CHECK(problem.m <= (1 << 28));
    for (const CpuPlan& plan : draw_plans(problem, 4, dice)) {
      pages.insert(to_name(kPageSizes, plan.resources.page_size));
      threads.insert(plan.resources.threads);
      two_passes = two_passes || (plan.presort && plan.presort->passes == 2);
      chunks = chunks || (plan.presort && plan.presort->chunk_bytes > 0);
      sets = sets || plan.base.n_sets > 1;
      ranges = ranges || plan.base.range_passes > 1;
      tables = tables || plan.base.strategy == CpuStrategy::privateTables;
    }
  }
  CHECK(operations.size() + 4 ==
        std::size(kOperations));  // not scan, compact, reduceAxes, in order
  CHECK(types.size() == 12);
  CHECK(kinds.size() + 1 == distribution_forms().size());  // every kind of labels but files occurs
  CHECK(pages.size() == 2);
  CHECK(threads == std::set<int>{1, 2, 3, 4});
  CHECK((two_passes && chunks && sets && ranges && tables));
}

TEST_CASE("draws that do not fit are replaced and counted") {
  const Drawn roomy = draw_points(60, 9, {.memory_bytes = kRoom, .threads = 1, .reps = 4});
  const Drawn tight = draw_points(60, 9, {.memory_bytes = 64 << 20, .threads = 1, .reps = 4});
  CHECK(tight.record.beyond_memory > roomy.record.beyond_memory);
  const Drawn slow = draw_points(60, 9, {.memory_bytes = kRoom, .threads = 1, .reps = 100});
  CHECK(slow.record.beyond_time > roomy.record.beyond_time);
}

}  // namespace draw_test
