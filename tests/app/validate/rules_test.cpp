#include "presort/app/validate/score/rules.h"

#include <doctest/doctest.h>

#include "presort/app/validate/score/baselines.h"
#include "tests/app/validate/validation_fixture.h"

namespace rules_test {

using namespace presort;
using namespace presort::app;

namespace {

Problem problem_of(uint64_t n, uint64_t m, const char* types = "u32+u32") {
  Problem problem;
  problem.n = n;
  problem.m = m;
  problem.types = parse_types("types", types);
  return problem;
}

Machine machine_with(std::vector<std::pair<std::string, uint64_t>> caches) {
  Machine machine;
  for (const auto& [name, bytes] : caches) {
    CacheLevel& level = machine.caches.emplace_back();
    level.name = name;
    level.size_bytes = bytes;
  }
  return machine;
}

constexpr uint64_t kMi = 1 << 20;

}  // namespace

TEST_CASE("the thesis sorts from 2^21 on, so that 18 bits are left") {
  CHECK(thesis_parts(problem_of(1 << 24, (1 << 21) - 1)) == 1);
  CHECK(thesis_parts(problem_of(1 << 24, 1 << 21)) == 8);
  CHECK(thesis_parts(problem_of(1 << 24, 1 << 28)) == 1024);
  // Labels have 25 bits, so 25 − 18 are sorted
  CHECK(thesis_parts(problem_of(1 << 24, (1 << 24) + 1)) == 128);
}

TEST_CASE("Futhark cuts the buckets into pieces of 0.4 of the L2") {
  const Machine machine = machine_with({{"L1d", 48 << 10}, {"L2", 2 * kMi}, {"L3", 64 * kMi}});
  // 0.5 MiB of buckets fit 0.8 MiB
  CHECK(futhark_parts(problem_of(1 << 24, 1 << 17), machine) == 1);
  // Exactly as many buckets as fit 0.4 · 2 MiB = 838860.8 bytes
  CHECK(futhark_parts(problem_of(1 << 24, 209715), machine) == 1);
  CHECK(futhark_parts(problem_of(1 << 24, 209716), machine) == 2);
  CHECK(futhark_parts(problem_of(1 << 24, 1 << 24), machine) == 80);
  CHECK(futhark_parts(problem_of(1 << 24, 1 << 24, "u32+u64"), machine) == 160);
  CHECK(futhark_parts(problem_of(1 << 24, (1 << 24) + 1), machine) == 1);  // sparse problem: n < m
}

TEST_CASE("the L2 is the level of that name, else the second, else the last") {
  const Problem problem = problem_of(1 << 24, 1 << 20);  // the problem has 4 MiB of buckets
  CHECK(futhark_parts(problem, machine_with({{"L1", kMi}, {"LLC", 4 * kMi}, {"L2", kMi}})) == 10);
  CHECK(futhark_parts(problem, machine_with({{"L1", kMi}, {"L1.5", 2 * kMi}})) == 5);
  CHECK(futhark_parts(problem, machine_with({{"only", 4 * kMi}})) == 3);
}

TEST_CASE("a rule takes the nearest plan that keeps to its decision") {
  const std::vector<CpuPlan> all = {
      parse_cpu_plan("sortBits=0,pageSize=4KiB"),
      parse_cpu_plan("sortBits=0,prefetchDistance=16"),
      parse_cpu_plan("sortBits=0"),
      parse_cpu_plan("sortBits=6,pageSize=4KiB"),
      parse_cpu_plan("sortBits=6"),
      parse_cpu_plan("sortBits=6,bufferBytes=64"),
      parse_cpu_plan("sortBits=10"),
  };
  std::vector<const CpuPlan*> plans;
  for (const CpuPlan& plan : all) {
    plans.push_back(&plan);
  }
  CHECK(plan_of_parts(plans, 1) == 2);    // the plan nearest to one part: large pages, no prefetch
  CHECK(plan_of_parts(plans, 2) == 4);    // the rule says to cut: a plan that cuts
  CHECK(plan_of_parts(plans, 250) == 4);  // 250 is nearer to 2^6 parts than to 2^10 by ratio
  CHECK(plan_of_parts(plans, 260) == 6);  // 260 is nearer to 2^10 parts than to 2^6 by ratio
  CHECK(plan_of_parts(plans, 1e9) == 6);
  CHECK(plan_of_parts(std::span(plans).first(3), 8) == -1);
  CHECK(plan_of_parts(std::span(plans).subspan(3), 1) == -1);
}

TEST_CASE("the regret of a rule is that of the plans it takes, where they were kept") {
  const Machine machine = machine_with({{"L1d", 32 << 10}, {"L2", kMi}});
  std::vector<ProblemPoints> all = {
      make_problem(1 << 16, {make_point("sortBits=0", 1, 1), make_point("sortBits=8", 1, 3)}),
      make_problem(1 << 20, {make_point("sortBits=0", 1, 5), make_point("sortBits=8", 1, 4)}),
      make_problem(1 << 24, {make_point("sortBits=0", 1, 9), make_point("sortBits=8", 1, 6)}),
  };
  const std::vector<const ProblemPoints*> problems = {&all[0], &all[1], &all[2]};
  std::vector<Baseline> found = rule_choices(problems, machine);
  REQUIRE(found.size() == 2);
  // Three problems: the thesis' rule sorts only the last, Futhark's (n = 2^20) only the second, as
  // the last is sparse.
  CHECK(found[0].name == "the thesis' rule");
  CHECK(found[0].mean_regret == doctest::Approx(0.25 / 3));
  CHECK(found[0].max_regret == doctest::Approx(0.25));
  CHECK(!found[0].plan);
  CHECK(!found[0].rule.empty());
  CHECK(found[1].mean_regret == doctest::Approx(0.5 / 3));
  all[2].points[0].dropped = true;
  found = rule_choices(problems, machine);
  CHECK(found[0].points == 3);
  CHECK(found[1].points == 2);
  CHECK(found[1].mean_regret == doctest::Approx(0));
}

}  // namespace rules_test
