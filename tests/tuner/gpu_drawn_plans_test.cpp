// Problems and plans drawn at random for a GPU (gpu/plan/draw/drawn_plans.h).
#include "presort/gpu/plan/draw/drawn_plans.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "presort/gpu/plan/plan_list.h"

namespace presort::inline v0::gpu::drawn_plans_test {
namespace {

PlanDraw draw_of(uint64_t points, uint64_t seed) {
  PlanDraw draw;
  draw.points = points;
  draw.seed = seed;
  draw.log2_most_n = 24;
  draw.device = {.multiprocessors = 132,
                 .shared_bytes_of_block = 227 << 10,
                 .shared_bytes_of_multiprocessor = 228 << 10,
                 .threads_of_multiprocessor = 2048};
  return draw;
}

bool are_equal(const std::vector<DrawnPlans>& a, const std::vector<DrawnPlans>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.problem == y.problem && x.plans == y.plans;
  });
}

}  // namespace

TEST_CASE("a draw has enough points, all legal, of all operations and types") {
  const PlanDraw draw = draw_of(600, 7);
  std::set<Operation> operations;
  std::set<ScalarType> values;
  uint64_t points = 0;
  uint64_t last = 0;
  for (const DrawnPlans& one : draw_plans(draw)) {
    const Problem& problem = one.problem;
    CAPTURE(to_string(problem));
    check_problem(problem);
    CHECK(problem.n <= uint64_t{2} << draw.log2_most_n);
    CHECK(!one.plans.empty());
    for (const GpuPlan& plan : one.plans) {
      check_gpu_problem(problem, plan, draw.device);
      CHECK(std::count(one.plans.begin(), one.plans.end(), plan) == 1);
    }
    operations.insert(problem.operation);
    values.insert(problem.types.value);
    last = one.plans.size();
    points += last;
  }
  CHECK(points >= draw.points);
  CHECK(points - last < draw.points);
  CHECK(operations.size() == 12);
  CHECK(values.size() == 4);
}

TEST_CASE("equal seeds draw equal plans, others draw others; one point is the least") {
  CHECK(are_equal(draw_plans(draw_of(50, 3)), draw_plans(draw_of(50, 3))));
  CHECK(!are_equal(draw_plans(draw_of(50, 3)), draw_plans(draw_of(50, 4))));
  CHECK(draw_plans(draw_of(1, 3)).size() == 1);
}

}  // namespace presort::gpu::drawn_plans_test
