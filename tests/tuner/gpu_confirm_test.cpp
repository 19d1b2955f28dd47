// Choices among near plans of a GPU, which are simulated too (tuner/gpu_tuner.h).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "presort/core/labels/labels.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/gpu/gpu_simulation.h"
#include "presort/tuner/gpu_tuner.h"

namespace presort::inline v0::tuner::gpu_confirm_test {
namespace {

const Machine& h200() {
  static const Machine machine =
      io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/h200.yaml");
  return machine;
}

Problem problem_of(Operation operation, uint64_t n, uint64_t m) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  return problem;
}

std::shared_ptr<const LabelSource> labels_of(const Problem& problem) {
  return make_labels(problem.distribution, problem.n, problem.m, problem.seed);
}

size_t simulated_plans(const GpuChoice& choice) {
  return static_cast<size_t>(std::ranges::count_if(
      choice.predictions, [](const GpuPrediction& one) { return one.is_simulated; }));
}

}  // namespace

TEST_CASE("near plans are simulated, two at most, and the faster by both ways is taken") {
  size_t confirmed = 0;
  for (int log2_m = 4; log2_m <= 24; log2_m += 4) {
    for (const Operation operation : {Operation::multireduce, Operation::scatter}) {
      const Problem problem = problem_of(operation, 1 << 20, uint64_t{1} << log2_m);
      CAPTURE(to_string(problem));
      const GpuChoice closed = choose_gpu_plan(h200(), problem);
      CHECK(simulated_plans(closed) == 0);
      CHECK(closed.entry.origin == Origin::model);
      const auto labels = labels_of(problem);
      const GpuChoice choice = choose_gpu_plan(h200(), problem, labels);
      REQUIRE(choice.predictions.size() == closed.predictions.size());
      double first = HUGE_VAL;
      double second = HUGE_VAL;
      for (const GpuPrediction& one : closed.predictions) {
        second = std::min(second, std::max(first, one.ns_per_input));
        first = std::min(first, one.ns_per_input);
      }
      const size_t simulated = simulated_plans(choice);
      if (second > kGpuNearPlans * first * (1 + gpu::kTieOfPlans)) {
        CHECK(simulated == 0);
        continue;
      }
      CHECK((simulated == 0 || simulated == 2));
      confirmed += simulated;
      double least = HUGE_VAL;
      for (size_t i = 0; i < choice.predictions.size(); ++i) {
        const GpuPrediction& one = choice.predictions[i];
        if (!one.is_simulated) {
          CHECK(one.ns_per_input == closed.predictions[i].ns_per_input);
          continue;
        }
        // Oracle: both ways asked for by themselves
        const double simulation =
            predict::simulate_gpu_plan(*h200().gpu_hardware, problem, one.plan, labels)
                .ns_per_input;
        CHECK(one.ns_per_input ==
              doctest::Approx(std::sqrt(simulation * closed.predictions[i].ns_per_input)));
        double stack = 0;
        for (const auto& [resource, ns] : one.stack_ns) {
          stack += ns;
        }
        CHECK(stack == doctest::Approx(one.ns_per_input));
        least = std::min(least, one.ns_per_input);
      }
      if (simulated > 0) {
        CHECK(choice.entry.origin == Origin::simulation);
        CHECK(choice.entry.predicted_ns_per_input <= least * (1 + gpu::kTieOfPlans));
        CHECK(choice.entry.direct_plan.presort.has_value() == false);
      }
    }
  }
  CHECK(confirmed > 0);
}

TEST_CASE("nothing is simulated without hardware, or for an operation without a simulation") {
  Machine without = h200();
  without.gpu_hardware.reset();
  const Problem problem = problem_of(Operation::multireduce, 1 << 20, 1 << 12);
  CHECK(simulated_plans(choose_gpu_plan(without, problem, labels_of(problem))) == 0);
  const Problem scan = problem_of(Operation::multiscan, 1 << 20, 1 << 12);
  CHECK(simulated_plans(choose_gpu_plan(h200(), scan, labels_of(scan))) == 0);
}

}  // namespace presort::tuner::gpu_confirm_test
