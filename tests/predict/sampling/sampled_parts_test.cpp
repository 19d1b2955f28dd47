// Sampled parts of a partition begin as the parts before them end: with their streams and pages.
// Compares the loop over parts, sampled, with a simulation of all inputs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "presort/core/labels/labels.h"
#include "presort/predict/predictor.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::sampled_parts_test {
namespace {

// A machine whose second level prefetches streams and whose pages are walked to.
Machine machine() {
  Machine machine = test::small_machine();
  machine.caches.back() = test::small_level("L3", 1024, 8, 40, 32);
  machine.prefetchers = {{"L2", PrefetcherKind::stream, 2, 16}};
  machine.tlb = {test::small_tlb("DTLB", {4096}, 16, 4, 0),
                 test::small_tlb("STLB", {4096}, 64, 8, 7)};
  return machine;
}

double reduce_ns(const char* plan, const char* labels, const SimulationOptions& options) {
  Problem problem;
  problem.n = (uint64_t{1} << 20) + 77;
  problem.m = uint64_t{1} << 17;
  problem.types = parse_types("types", "u32+u32");
  problem.distribution = parse_distribution("labels", labels);
  const Prediction prediction =
      Predictor(machine(), options)
          .predict(problem, parse_cpu_plan(plan),
                   make_labels(problem.distribution, problem.n, problem.m, 5));
  const auto reduce = std::find_if(prediction.phases.begin(), prediction.phases.end(),
                                   [](const auto& phase) { return phase.name == "reduce"; });
  REQUIRE(reduce != prediction.phases.end());
  return reduce->ns_per_input;
}

TEST_CASE("a sampled loop over parts takes as long as one over all parts") {
  for (const char* plan : {"sortBits=11,passes=1", "sortBits=9,passes=1", "sortBits=5,passes=1"}) {
    for (const char* labels : {"uniform", "sequential"}) {
      CAPTURE(plan);
      CAPTURE(labels);
      const double all = reduce_ns(plan, labels, {.full = true});
      const double some =
          reduce_ns(plan, labels, {.ci95_relative = 0.01, .replayed_inputs = 1 << 14});
      CAPTURE(all);
      CAPTURE(some);
      CHECK(std::abs(some / all - 1) < 0.03);
    }
  }
}

}  // namespace
}  // namespace presort::predict::sampled_parts_test
