#include "presort/core/plan/external_plan.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "presort/core/error.h"
#include "tests/external/files.h"
#include "tests/property_seed.h"

namespace presort::inline v0::external::external_plan_test {

using namespace presort::external::test;

namespace {

Problem random_problem(std::mt19937_64& random) {
  constexpr Operation kTested[] = {Operation::multireduce, Operation::scatter, Operation::gather,
                                   Operation::histogram};
  Problem problem = problem_of(kTested[random() % 4], 0);
  problem.n = 1 + (random() >> (30 + random() % 30));
  problem.m = 1 + (random() >> (30 + random() % 30));
  problem.types = {random() % 2 ? ScalarType::u32 : ScalarType::u64,
                   random() % 2 ? ScalarType::u32 : ScalarType::u64};
  return problem;
}

}  // namespace

TEST_CASE("parts cover all buckets, and none is empty") {
  std::mt19937_64 random(presort::test::property_seed());
  for (int i = 0; i < 1000; ++i) {
    const uint64_t m = 1 + (random() >> (20 + random() % 40));
    const ExternalPlan plan{static_cast<int>(random() % (kMaxPartBits + 1)), 1 << 20, 8};
    const uint64_t parts = part_count(m, plan);
    const int shift = part_shift(m, plan);
    CHECK(((m - 1) >> shift) == parts - 1);
    CHECK(parts <= (uint64_t{1} << plan.part_bits));
  }
}

TEST_CASE("the rule's plan fits the memory, and more memory never gives more parts") {
  std::mt19937_64 random(presort::test::property_seed());
  int planned = 0;
  for (int i = 0; i < 1000; ++i) {
    const Problem problem = random_problem(random);
    const uint64_t memory = uint64_t{1} << (18 + random() % 20);
    try {
      const ExternalPlan plan = external_plan_by_rule(problem, memory);
      ++planned;
      check_external(problem, plan);
      CHECK(external_memory_bytes(problem, plan) <= memory);
      const ExternalPlan with_more = external_plan_by_rule(problem, 2 * memory);
      if (plan.block_bytes >= 1 << 20) {
        CHECK(part_count(problem.m, with_more) <= part_count(problem.m, plan));
      }
    } catch (const EnvironmentError&) {
      CHECK(memory < (uint64_t{1} << 36));
    }
  }
  CHECK(planned > 300);
}

TEST_CASE("plans that cannot be are refused") {
  const Problem problem = problem_of(Operation::multireduce, 1 << 20);
  CHECK_NOTHROW(check_external(problem, {10, kLeastBlockBytes, 2}));
  CHECK_THROWS_AS(check_external(problem, {11, kLeastBlockBytes, 2}), PlanError);
  CHECK_THROWS_AS(check_external(problem, {-1, kLeastBlockBytes, 2}), PlanError);
  CHECK_THROWS_AS(check_external(problem, {2, kLeastBlockBytes / 2, 2}), PlanError);
  CHECK_THROWS_AS(check_external(problem, {2, kLeastBlockBytes + 4096, 2}), PlanError);
  CHECK_THROWS_AS(check_external(problem, {2, kLeastBlockBytes, 1}), PlanError);
  CHECK_THROWS_AS(check_external(problem_of(Operation::multiscan, 8), {}), InputError);
}

TEST_CASE("a plan's text says the plan") {
  const ExternalPlan plan{7, 256 << 10, 12};
  CHECK(to_string(plan) == "partBits=7,block=256KiB,depth=12");
  CHECK(parse_external_plan("--file-plan", to_string(plan)) == plan);
  CHECK(parse_external_plan("--file-plan", "") == ExternalPlan{});
  for (const char* bad : {"partBits", "partBits=-1", "parts=3", "block=3", "depth=x", "=3"}) {
    CHECK_THROWS_AS(parse_external_plan("--file-plan", bad), InputError);
  }
}

TEST_CASE("the rule names a memory that is enough, and refuses more buckets than parts can hold") {
  try {
    external_plan_by_rule(problem_of(Operation::multireduce, uint64_t{1} << 30), 1 << 16);
    CHECK(false);
  } catch (const EnvironmentError& error) {
    CHECK(std::string(error.what()).find("--memory: found 64KiB; enough is ") == 0);
  }
  CHECK_THROWS_AS(external_plan_by_rule(problem_of(Operation::multireduce, uint64_t{1} << 50),
                                        uint64_t{1} << 40),
                  InputError);
}

}  // namespace presort::external::external_plan_test
