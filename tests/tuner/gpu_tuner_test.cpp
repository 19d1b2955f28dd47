#include "presort/tuner/gpu_tuner.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "presort/core/error.h"
#include "presort/gpu/plan/capability.h"
#include "presort/gpu/plan/choose_plan.h"
#include "presort/gpu/plan/ordered_plans.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
#include "tests/tuner/round_gpu.h"

namespace presort::inline v0::tuner::gpu_tuner_test {
namespace {

using test::machine;
using test::problem;

TEST_CASE("every plan that is listed is legal, each once, and has a time") {
  for (const Operation operation : {Operation::multireduce, Operation::scatter,
                                    Operation::histogram, Operation::multireduceInOrder}) {
    for (const uint64_t m : {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 16,
                             uint64_t{1} << 22, uint64_t{1} << 28}) {
      const Problem one = problem(operation, m);
      const auto limits = gpu::limits_of(*machine().gpu);
      const std::vector<GpuPlan> plans = gpu::gpu_plans(one, limits);
      const bool in_order = operation == Operation::multireduceInOrder;
      CHECK(plans.size() >= (m > 2 ? 3 : in_order ? 1 : 2));
      for (size_t i = 0; i < plans.size(); ++i) {
        CAPTURE(to_string(plans[i]));
        CHECK(gpu::runs_on(one, plans[i], limits));
        CHECK(std::count(plans.begin(), plans.end(), plans[i]) == 1);
        CHECK(gpu::plan_time(*machine().gpu, one, plans[i]).ns_per_input > 0);
      }
    }
  }
}

TEST_CASE("a multireduce in order has the plans, the times and the rule of calls in order") {
  const auto limits = gpu::limits_of(*machine().gpu);
  for (const uint64_t m : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 16, uint64_t{1} << 24}) {
    for (const uint64_t n : {uint64_t{1} << 12, uint64_t{1} << 22, uint64_t{1} << 28}) {
      Problem one = problem(Operation::multireduceInOrder, m);
      one.n = n;
      const GpuPlan by_rule = gpu::choose_plan(*machine().gpu, one);
      CHECK(by_rule == gpu::ordered_plan({n, m, 4}));
      CHECK(gpu::runs_on(one, by_rule, limits));
      Problem any_order = one;
      any_order.operation = Operation::multireduce;
      const std::vector<GpuPlan> plans = gpu::gpu_plans(one, limits);
      CHECK(plans == gpu::ordered_gpu_plans(any_order));
      for (const GpuPlan& plan : plans) {
        CHECK(gpu::plan_time(*machine().gpu, one, plan).ns_per_input ==
              gpu::ordered_plan_time(*machine().gpu, any_order, plan).ns_per_input);
      }
      CHECK(!gpu::runs_on(one, parse_gpu_plan("sortBits=0,strategy=globalSets"), limits));
    }
  }
}

TEST_CASE("tables while they fit, a pre-sort when they would be too many, and its crossover") {
  const auto choice = [](uint64_t m) {
    return choose_gpu_plan(machine(), problem(Operation::multireduce, m)).entry;
  };
  const GpuTunedEntry small = choice(1 << 12);
  CHECK(small.plan == parse_gpu_plan("strategy=sharedSets"));
  CHECK_FALSE(small.plan.presort);
  CHECK(small.direct_plan == small.plan);
  CHECK(small.runner_up != small.plan);
  CHECK(small.runner_up_ns_per_input >= small.predicted_ns_per_input);
  CHECK(small.matters);
  const GpuTunedEntry large = choice(1 << 26);
  REQUIRE(large.plan.presort.has_value());
  CHECK(large.plan.strategy == GpuStrategy::sharedSets);
  CHECK(large.direct_plan == parse_gpu_plan("strategy=globalSets"));
  CHECK(large.direct_ns_per_input > large.predicted_ns_per_input);
}

TEST_CASE("scans per bucket are chosen among one pass, tiles and sorts, in closed form") {
  const GpuChoice small = choose_gpu_plan(machine(), problem(Operation::multiscan, 256));
  CHECK_FALSE(small.entry.plan.presort);
  const GpuChoice large =
      choose_gpu_plan(machine(), problem(Operation::multitag, uint64_t{1} << 20));
  REQUIRE(large.entry.plan.presort);
  CHECK(large.entry.plan.presort->sort_bits == 20);
  CHECK(large.entry.predicted_ns_per_input > small.entry.predicted_ns_per_input);
}

TEST_CASE("a sort is by all bits of the labels, in as many passes as take the least time") {
  const GpuTunedEntry entry =
      choose_gpu_plan(machine(), problem(Operation::partialSort, uint64_t{1} << 20)).entry;
  REQUIRE(entry.plan.presort);
  CHECK(entry.plan.presort->sort_bits == 20);
  CHECK(entry.plan.presort->passes >= 2);
  CHECK(entry.plan.presort->passes <= 3);
}

TEST_CASE("without a section gpu, or an operation without a kernel, nothing is chosen") {
  Machine without = machine();
  without.gpu.reset();
  CHECK_THROWS_AS(choose_gpu_plan(machine(), problem(Operation::multireduce, uint64_t{1} << 36)),
                  InputError);  // 256 GiB exceed the 128 GiB of memory
  CHECK_THROWS_AS(choose_gpu_plan(without, problem(Operation::multireduce, 256)), InputError);
}

TEST_CASE("a device is too old below compute capability 7.5") {
  CHECK_NOTHROW(gpu::check_capability(7, 5));
  CHECK_NOTHROW(gpu::check_capability(9, 0));
  CHECK_THROWS_WITH_AS(gpu::check_capability(7, 0),
                       "the CUDA device has compute capability 7.0, accepted: 7.5 or more",
                       EnvironmentError);
}

TEST_CASE("the buckets of a part may have a table each of up to four ranges") {
  // A block's shared memory fits 57,344 buckets
  const gpu::DeviceLimits device = gpu::limits_of(*machine().gpu);
  const auto ranges = [&](int sort_bits, uint64_t m) {
    GpuPlan plan = parse_gpu_plan("strategy=sharedSets");
    plan.presort = GpuPresort{.sort_bits = sort_bits};
    return gpu::ranges_of_part(plan, m, 4, device);
  };
  CHECK(ranges(9, uint64_t{1} << 24) == 1);
  CHECK(ranges(8, uint64_t{1} << 24) == 2);
  CHECK(ranges(7, uint64_t{1} << 24) == 3);
  CHECK(ranges(6, uint64_t{1} << 24) == 5);
  const auto check = [&](const char* plan) {
    gpu::check_gpu_plan(parse_gpu_plan(plan), {1000, uint64_t{1} << 24, 4}, device);
  };
  CHECK_NOTHROW(check("strategy=sharedSets,sortBits=7"));
  CHECK_THROWS_AS(check("strategy=sharedSets,sortBits=6"), PlanError);
}

}  // namespace
}  // namespace presort::tuner::gpu_tuner_test
