#include "presort/tuner/search_order.h"

#include <doctest/doctest.h>

#include "presort/tuner/plan_space.h"

namespace presort::inline v0::tuner::search_order_test {
namespace {

Problem problem() {
  Problem problem;
  problem.n = uint64_t{1} << 26;
  problem.m = uint64_t{1} << 24;
  return problem;
}

std::vector<std::string> first_of(const PlanSpace& space) {
  const std::vector<CpuPlan> plans = candidate_plans(space, problem()).plans;
  std::vector<std::string> texts;
  for (const FirstPlan& first : plans_to_begin_with(plans)) {
    const CpuPlan& plan = plans[first.plan];
    texts.push_back(plan.presort ? std::to_string(plan.presort->sort_bits) + " bits, buffers " +
                                       std::to_string(plan.presort->buffer_bytes) +
                                       (plan.presort->chunk_bytes > 0 ? ", chunks" : "")
                                 : "prefetch " + std::to_string(plan.base.prefetch_distance));
  }
  return texts;
}

TEST_CASE("loops come first, then a middle number of bits, the most and the fewest") {
  CHECK(first_of(PlanSpace()) ==
        std::vector<std::string>{"prefetch 0", "prefetch 16", "8 bits, buffers 256, chunks",
                                 "12 bits, buffers 256, chunks", "4 bits, buffers 512"});
}

TEST_CASE("plans on pages of another size are begun with anew") {
  PlanSpace both;
  both.set("pageSize", {"4KiB", "2MiB"});
  CHECK(first_of(both).size() == 2 * first_of(PlanSpace()).size());
}

TEST_CASE("where a plan that is likely fast takes a histogram, so does the one to begin with") {
  PlanSpace space;
  space.set("chunkBytes", {"0"});
  CHECK(first_of(space)[2] == "8 bits, buffers 256");
}

}  // namespace
}  // namespace presort::tuner::search_order_test
