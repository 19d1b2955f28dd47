#include "presort/tuner/plan_space.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "presort/core/error.h"
#include "presort/core/fields/field_text.h"
#include "presort/core/plan/plan_keys.h"

namespace presort::inline v0::tuner::plan_space_test {
namespace {

Problem problem(uint64_t m, Operation operation = Operation::multireduce) {
  Problem problem;
  problem.operation = operation;
  problem.n = uint64_t{1} << 18;
  problem.m = m;
  return problem;
}

PlanSpace small_space() {
  PlanSpace space;
  space.set("sortBits", {"0", "2", "4", "6"});
  space.set("bufferBytes", {"64", "256"});
  return space;
}

std::vector<CpuPlan> plans_of(const PlanSpace& space, const Problem& what) {
  return candidate_plans(space, what).plans;
}

std::string refusal(const PlanSpace& space, const Problem& what) {
  try {
    candidate_plans(space, what);
    return "";
  } catch (const PlanError& error) {
    return error.what();
  }
}

TEST_CASE("candidates are legal, different from each other, and begin without a pre-sort") {
  for (const uint64_t m : {1, 2, 3, 64, 65, 1 << 20}) {
    for (const auto& [name, operation] : kOperations) {
      if (operation == Operation::compact || operation == Operation::multireduceInOrder) {
        continue;  // a CPU has none
      }
      const Problem what = problem(m, operation);
      PlanSpace space = small_space();
      space.set("strategy", {"direct", "plainRadix", "privateTables"});
      space.set("pageSize", {"4KiB", "2MiB"});
      space.set("threads", {"1", "3"});
      const Candidates candidates = candidate_plans(space, what);
      const std::vector<CpuPlan>& plans = candidates.plans;
      REQUIRE(!plans.empty());
      CHECK(candidates.eligible == plans.size());
      CHECK(!plans.front().presort);
      CHECK(std::is_partitioned(plans.begin(), plans.end(),
                                [](const CpuPlan& plan) { return !plan.presort; }));
      for (const CpuPlan& plan : plans) {
        CHECK_NOTHROW(check_plan(plan, what));
        CHECK(std::count(plans.begin(), plans.end(), plan) == 1);
      }
    }
  }
}

TEST_CASE("candidates are the whole product of the axes where all of it is legal") {
  // Number of plans by hand. Five loops: plain, buckets fetched, inputs fetched, in 2 and 4 ranges.
  // Pre-sorts: 3 sortBits x 2 passes x 2 buffers, 2 of them also into chunks (chunks by 6 bits
  // would be too small), and 3 x 2 plain radix sorts.
  PlanSpace space = small_space();
  CHECK(plans_of(space, problem(1 << 20)).size() == 5 + 12 + 2);
  space.set("strategy", {"direct", "plainRadix"});
  CHECK(plans_of(space, problem(1 << 20)).size() == 5 + 12 + 2 + 6);
  // With few buckets there is one more loop, with four sets. With sets, fetching inputs ahead makes
  // no other plan.
  CHECK(plans_of(small_space(), problem(1 << 16)).size() == 6 + 12 + 2);
}

TEST_CASE("every key of a plan for a CPU can be an axis") {
  for (const Field& key : fields::kCpuPlan.rows) {
    PlanSpace space = small_space();
    const CpuPlan presorted = parse_cpu_plan("sortBits=4");
    const CpuPlan& plan = why_without_meaning(key, CpuPlan{}) == nullptr ? CpuPlan{} : presorted;
    REQUIRE(why_without_meaning(key, plan) == nullptr);
    space.set(std::string(key.key), {field_text(key, &plan)});
    CAPTURE(key.key);
    CHECK(!plans_of(space, problem(1 << 20)).empty());
  }
}

TEST_CASE("placements are tried with several threads; one thread has its own memory node") {
  PlanSpace space;
  space.set("threads", {"1", "4"});
  const size_t without = plans_of(space, problem(1 << 17)).size();
  space.set("placement", {"firstTouch", "interleaved", "byShare"});
  size_t teams = 0;
  const std::vector<CpuPlan> plans = plans_of(space, problem(1 << 17));
  for (const CpuPlan& plan : plans) {
    CHECK((plan.resources.threads > 1 || plan.resources.placement == Placement::firstTouch));
    teams += plan.resources.threads > 1;
  }
  CHECK(teams % 3 == 0);
  CHECK(plans.size() == without + teams / 3 * 2);
}

TEST_CASE("plans of several threads come with each number of them, and with private tables") {
  PlanSpace space = small_space();
  const std::vector<CpuPlan> alone = plans_of(space, problem(1 << 17));
  space.set("threads", {"1", "4"});
  const std::vector<CpuPlan> plans = plans_of(space, problem(1 << 17));
  const auto tables = [](const CpuPlan& plan) {
    return plan.base.strategy == CpuStrategy::privateTables;
  };
  CHECK(std::count_if(plans.begin(), plans.end(), tables) == 3);
  CHECK(plans.size() == 2 * alone.size() - 2 + 3);  // plans in several ranges take one thread
}

TEST_CASE("loops in ranges are tried where an operation has them, with their inputs fetched") {
  const auto ranges = [](Operation operation) {
    std::vector<int> passes;
    for (const CpuPlan& plan : plans_of(small_space(), problem(1 << 20, operation))) {
      if (plan.base.range_passes > 1) {
        CHECK(!plan.presort);
        CHECK(plan.base.prefetch_distance == 0);
        CHECK(plan.base.input_distance > 0);
        passes.push_back(plan.base.range_passes);
      }
    }
    return passes;
  };
  for (const Operation operation :
       {Operation::multireduce, Operation::scatter, Operation::histogram}) {
    CHECK(ranges(operation) == std::vector<int>{2, 4});
  }
  for (const Operation operation :
       {Operation::gather, Operation::multiscan, Operation::multitag, Operation::partialSort}) {
    CHECK(ranges(operation).empty());
  }
  PlanSpace both = small_space();
  both.require(parse_plan_fields("rangePasses=2,sortBits=4"));
  const std::string begin = "no plan is left for " + to_string(problem(1 << 20)) + "; excluded: ";
  CHECK(refusal(both, problem(1 << 20)).starts_with(begin + "4 by 'ranges are of a plain loop'"));
  PlanSpace team = small_space();
  team.require(parse_plan_fields("rangePasses=2,threads=2"));
  const std::string text = refusal(team, problem(1 << 20));
  CHECK(text.find("several threads have ranges") < text.find("parts of a pre-sort fit"));
  PlanSpace more = small_space();
  more.require(parse_plan_fields("rangePasses=8"));
  CHECK(candidate_plans(more, problem(1 << 20)).eligible == 1);
}

TEST_CASE("listed plans are taken alone, with the plain loop, where they are legal") {
  PlanSpace space = small_space();
  space.listed = {parse_cpu_plan("sortBits=5"), parse_cpu_plan("sortBits=9,bufferBytes=64"),
                  CpuPlan{}};
  CHECK(plans_of(space, problem(1 << 20)) ==
        std::vector<CpuPlan>{CpuPlan{}, space.listed[0], space.listed[1]});
  CHECK(plans_of(space, problem(64)) == std::vector<CpuPlan>{CpuPlan{}, space.listed[0]});
}

TEST_CASE("bits that the labels do not have are left out") {
  for (const CpuPlan& plan : plans_of(small_space(), problem(16))) {
    CHECK((!plan.presort || plan.presort->sort_bits <= 4));
  }
  for (const CpuPlan& plan : plans_of(small_space(), problem(1))) {
    CHECK(!plan.presort);
  }
}

TEST_CASE("a requirement leaves the plans that have it, also of values that are not in the axes") {
  PlanSpace space = small_space();
  space.require(parse_plan_fields("sortBits=5,passes=2"));
  const Candidates candidates = candidate_plans(space, problem(1 << 20));
  CHECK(candidates.eligible == 2);  // the two plans with different buffer sizes
  REQUIRE(candidates.plans.size() == 3);
  // The last candidate is the plain loop, for comparison
  CHECK(candidates.plans.back() == CpuPlan{});
  for (size_t i = 0; i < candidates.eligible; ++i) {
    REQUIRE(candidates.plans[i].presort);
    CHECK(candidates.plans[i].presort->sort_bits == 5);
    CHECK(candidates.plans[i].presort->passes == 2);
  }
}

TEST_CASE("requirements that exclude each other, or the problem, are refused by name") {
  PlanSpace both = small_space();
  both.require(parse_plan_fields("sortBits=0,passes=2"));
  CHECK(refusal(both, problem(1 << 20)).find("the requirement passes=2") != std::string::npos);

  PlanSpace twice = small_space();
  twice.require(parse_plan_fields("sortBits=4,sortBits=6"));
  CHECK(refusal(twice, problem(1 << 20)).find("the requirement sortBits=4") != std::string::npos);

  PlanSpace few = small_space();
  few.require(parse_plan_fields("sortBits=12"));
  const std::string text = refusal(few, problem(16));
  CHECK(text.find("m=16") != std::string::npos);
  CHECK(text.find("sortBits: found '12'") != std::string::npos);

  PlanSpace tables = small_space();
  tables.require(parse_plan_fields("strategy=privateTables"));
  CHECK(refusal(tables, problem(16)).find("private tables of one thread") != std::string::npos);
}

TEST_CASE("unknown keys and values are refused") {
  PlanSpace space = small_space();
  CHECK_THROWS_AS(space.set("sortbits", {"1"}), InputError);
  CHECK_THROWS_AS(space.require({{"buffer", "64"}}), InputError);
  space.set("pageSize", {"3KiB"});
  CHECK_THROWS_AS(candidate_plans(space, problem(16)), InputError);
}

}  // namespace
}  // namespace presort::tuner::plan_space_test
