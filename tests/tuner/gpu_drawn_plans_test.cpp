// Problems and plans drawn at random for a GPU (gpu/plan/draw/drawn_plans.h).
#include "presort/gpu/plan/draw/drawn_plans.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
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

Problem problem_of(Operation operation, uint64_t n, uint64_t m,
                   ScalarType value = ScalarType::u32) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  problem.types.value = value;
  return problem;
}

std::string plan_by(const std::string& rule, const Problem& problem) {
  const RuledDevice device{draw_of(1, 1).device, 60 << 20};
  for (const PlanRule& one : plan_rules()) {
    if (one.name == rule) {
      const auto plan = ruled_plan(one, problem, device);
      return plan ? to_string(*plan) : "none";
    }
  }
  return "no such rule";
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

TEST_CASE("plans by rules come behind the drawn ones, and all are legal") {
  PlanDraw draw = draw_of(200, 5);
  const std::vector<DrawnPlans> without = draw_plans(draw);
  draw.l2_bytes = 60 << 20;
  const std::vector<DrawnPlans> with = draw_plans(draw);
  REQUIRE(with.size() == without.size());
  size_t more = 0;
  for (size_t i = 0; i < with.size(); ++i) {
    CHECK(with[i].problem == without[i].problem);
    REQUIRE(with[i].plans.size() >= without[i].plans.size());
    CHECK(std::equal(without[i].plans.begin(), without[i].plans.end(), with[i].plans.begin()));
    for (const GpuPlan& plan : with[i].plans) {
      check_gpu_problem(with[i].problem, plan, draw.device);
      CHECK(std::count(with[i].plans.begin(), with[i].plans.end(), plan) == 1);
    }
    more += with[i].plans.size() - without[i].plans.size();
  }
  CHECK(more > 0);
}

// Oracle: the rules by hand for 132 multiprocessors with tables of 232,064 bytes and an L2 of 60 MiB.
TEST_CASE("Futhark's formula takes sets, ranges, or parts of 0.4 of the L2") {
  const auto plan_of = [](uint64_t n, uint64_t m, ScalarType value = ScalarType::u32) {
    return plan_by("Futhark's formula", problem_of(Operation::multireduce, n, m, value));
  };
  const std::string atomics = "sortBits=0,strategy=globalSets,rangePasses=1,nSets=1";
  const auto tables = [](int sets) {
    return "sortBits=0,strategy=sharedSets,rangePasses=1,nSets=" + std::to_string(sets);
  };
  CHECK(plan_of(1 << 28, 256) == tables(32));    // 226 sets would fit
  CHECK(plan_of(1 << 28, 4096) == tables(8));    // 14 fit
  CHECK(plan_of(1 << 28, 100000) == tables(1));  // two ranges
  CHECK(plan_of(1 << 28, 174048) == tables(1));  // three ranges, exactly
  CHECK(plan_of(1 << 28, 174049) == atomics);
  CHECK(plan_of(1 << 28, 174049, ScalarType::f32) == tables(1));  // swaps: four ranges
  CHECK(plan_of(1 << 20, 4096) == atomics);     // fewer than two inputs for a bucket of each block
  CHECK(plan_of(1 << 28, 6291456) == atomics);  // 24 MiB
  CHECK(plan_of(1 << 28, 6291457) ==
        "sortBits=1,passes=1,strategy=globalSets,rangePasses=1,nSets=1");
  CHECK(plan_of(1 << 20, (1 << 20) + 1) == atomics);  // fewer inputs than buckets
}

TEST_CASE("the thesis' rule leaves seven bits; rules know operations in any order alone") {
  const auto plan_of = [](uint64_t m) {
    return plan_by("the thesis' rule", problem_of(Operation::scatter, 1 << 28, m));
  };
  CHECK(plan_of((1 << 16) - 1) == "sortBits=0,strategy=globalSets,rangePasses=1,nSets=1");
  CHECK(plan_of(1 << 16) == "sortBits=9,passes=1,strategy=globalSets,rangePasses=1,nSets=1");
  CHECK(plan_of(1 << 20) == "sortBits=13,passes=2,strategy=globalSets,rangePasses=1,nSets=1");
  CHECK(plan_of(1 << 26) == "sortBits=14,passes=2,strategy=globalSets,rangePasses=1,nSets=1");
  for (const PlanRule& rule : plan_rules()) {
    CHECK(plan_by(rule.name, problem_of(Operation::gather, 1 << 20, 256)) == "none");
    CHECK(plan_by(rule.name, problem_of(Operation::multiscan, 1 << 20, 256)) == "none");
  }
}

}  // namespace presort::gpu::drawn_plans_test
