// Times problems and plans that are drawn at random (gpu/plan/draw/drawn_plans.h), by the calls that
// `presort run --device gpu` makes: what gpu_regret and gpu_simulated judge predictions by.
//   gpu_drawn_grid SEED POINTS LOG2_MOST_N ROUNDS
// Beside the drawn plans the one that calls choose by a sample of the labels is timed. Plans of problems
// up to 2^20 inputs are compared with plain loops first. Prints a line of JSON for each problem; exit
// status 1 when a result differs, 2 for bad arguments.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/draw/drawn_plans.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/runner/probe.h"
#include "presort/gpu/runner/runner.h"

using namespace presort;

namespace {

constexpr uint64_t kMostChecked = uint64_t{1} << 20;

// Text of the problem as the readers of grids expect it, without the plans.
std::string problem_json(const Problem& problem) {
  std::string text = "\"op\": \"" + to_name(kOperations, problem.operation) + "\", \"types\": \"" +
                     to_string(problem.types) + "\", \"n\": " + std::to_string(problem.n) +
                     ", \"m\": " + std::to_string(problem.m) + ", \"dist\": \"" +
                     to_string(problem.distribution) +
                     "\", \"seed\": " + std::to_string(problem.seed);
  if (problem.operation == Operation::reduceAxes) {
    text += ", \"shape\": \"" + to_string(problem.shape) + "\", \"axes\": \"" +
            to_string(problem.axes) + "\"";
  }
  return text;
}

// Times the plans of one problem and prints its line. Returns false when a result is wrong.
bool print(gpu::DrawnPlans drawn, int rounds) {
  const Problem& problem = drawn.problem;
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const GpuPlan chosen = gpu::choose_plan(problem, *labels);
  if (std::find(drawn.plans.begin(), drawn.plans.end(), chosen) == drawn.plans.end()) {
    drawn.plans.push_back(chosen);
  }
  const bool checks = problem.n <= kMostChecked;
  bool right = true;
  std::string plans;
  for (const GpuPlan& plan : drawn.plans) {
    const GpuMeasurement found = gpu::measure(problem, plan, labels, rounds, checks);
    right = right && (!checks || found.checked);
    char time[32];
    std::snprintf(time, sizeof time, "%.6f", median(found.samples_ns_per_input));
    plans += (plans.empty() ? "\"" : ", \"") + to_string(plan) + "\": " + time;
  }
  std::printf("{%s, \"chosen\": \"%s\", \"right\": %s, \"plans\": {%s}}\n",
              problem_json(problem).c_str(), to_string(chosen).c_str(), right ? "true" : "false",
              plans.c_str());
  std::fflush(stdout);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: gpu_drawn_grid SEED POINTS LOG2_MOST_N ROUNDS\n");
    return 2;
  }
  bool all_right = true;
  try {
    gpu::PlanDraw draw;
    draw.seed = std::strtoull(argv[1], nullptr, 10);
    draw.points = std::max<uint64_t>(1, std::strtoull(argv[2], nullptr, 10));
    draw.log2_most_n = std::clamp(std::atoi(argv[3]), 12, 30);
    draw.device = gpu::limits_of(gpu::describe_gpu());
    for (gpu::DrawnPlans& one : gpu::draw_plans(draw)) {
      all_right = print(std::move(one), std::max(1, std::atoi(argv[4]))) && all_right;
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return all_right ? 0 : 1;
}
