// The search for the best simulated plan of a GPU (tuner/gpu_search.h).
#include "presort/tuner/gpu_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/gpu/gpu_simulation.h"

namespace presort::inline v0::tuner::gpu_search_test {
namespace {

const GpuHardware& h200() {
  static const Machine machine =
      io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/h200.yaml");
  return *machine.gpu_hardware;
}

}  // namespace

TEST_CASE("a row of times with one valley: the lowest index is found, none is tried twice") {
  for (const size_t count : {1, 2, 3, 4, 7, 11, 22}) {
    for (size_t lowest = 0; lowest < count; ++lowest) {
      std::map<size_t, int> tries;
      const size_t found = search_valley(count, [&](size_t i) {
        ++tries[i];
        return std::abs(static_cast<double>(i) - static_cast<double>(lowest));
      });
      CHECK(found == lowest);
      for (const auto& [i, times] : tries) {
        CHECK(i < count);
        CHECK(times == 1);
      }
      CHECK(tries.size() <= count / 3 + 5);
    }
  }
}

TEST_CASE("the search finds the best of all plans") {
  Problem problem;
  problem.n = 1 << 14;
  problem.m = 1 << 7;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const SimulatedGpuChoice choice = search_gpu_plans(h200(), problem, labels);
  double direct = HUGE_VAL;
  double presorted = HUGE_VAL;
  const std::vector<GpuPlan> all = gpu::gpu_plans(problem, predict::limits_of(h200()));
  for (const GpuPlan& plan : all) {
    double& least = plan.presort ? presorted : direct;
    least = std::min(least, predict::simulate_gpu_plan(h200(), problem, plan, labels).ns_per_input);
  }
  REQUIRE(choice.direct);
  REQUIRE(choice.presorted);
  CHECK(choice.direct->ns_per_input <= 1.03 * direct);
  CHECK(choice.presorted->ns_per_input <= 1.03 * presorted);
  CHECK(choice.plans.size() < all.size());
  CHECK(!choice.direct->plan.presort);
  CHECK(choice.presorted->plan.presort);
}

TEST_CASE("an operation with one plan has no pre-sort; one that is not simulated is refused") {
  Problem problem;
  problem.operation = Operation::gather;
  problem.n = 1 << 16;
  problem.m = 1 << 10;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const SimulatedGpuChoice choice = search_gpu_plans(h200(), problem, labels);
  CHECK(choice.direct);
  CHECK(!choice.presorted);
  CHECK(choice.plans.size() == 1);
  problem.operation = Operation::multiscan;
  CHECK_THROWS_WITH_AS(search_gpu_plans(h200(), problem, labels),
                       doctest::Contains("accepted: multireduce, histogram, scatter, gather"),
                       PlanError);
}

}  // namespace presort::tuner::gpu_search_test
