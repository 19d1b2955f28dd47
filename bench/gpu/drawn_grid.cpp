// Times problems and plans that are drawn at random (gpu/plan/draw/drawn_plans.h), by the calls
// that `presort run --device gpu` makes: what gpu_regret and gpu_simulated judge predictions by.
//   gpu_drawn_grid SEED POINTS LOG2_MOST_N ROUNDS
//   gpu_drawn_grid over OP LABEL+VALUE LOG2_N ROUNDS LOG2_M...
//       not drawn: of one operation over numbers of buckets, the plans without and with a pre-sort
//       that are predicted within twice the best of their kind, at most six of each; where
//       crossovers lie
// Beside the drawn plans those of rules (gpu/plan/draw/rule_plans.h) are timed, and the one that
// calls choose by a sample of the labels. Plans of problems up to 2^20 inputs are compared with
// plain loops first. Prints a line of JSON for each problem; exit status 1 when a result differs, 2
// for bad arguments.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/draw/drawn_plans.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"
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

// The plans of one kind, with or without a pre-sort, that are predicted within twice the best of
// it: the fastest first, at most six.
std::vector<GpuPlan> near_best(const Gpu& gpu, const Problem& problem, bool is_sorted) {
  constexpr size_t kMostPlans = 6;
  const gpu::LabelFacts facts(problem);
  std::vector<std::pair<double, GpuPlan>> timed;
  for (const GpuPlan& plan : gpu::gpu_plans(problem, gpu::limits_of(gpu))) {
    if (plan.presort.has_value() == is_sorted) {
      timed.emplace_back(gpu::plan_ns(gpu, problem, facts, plan), plan);
    }
  }
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<GpuPlan> plans;
  for (const auto& [ns, plan] : timed) {
    if (plans.size() < kMostPlans && ns <= 2 * timed.front().first) {
      plans.push_back(plan);
    }
  }
  return plans;
}

bool time_over_buckets(int count, char** arguments) {
  const Gpu gpu = gpu::probe_gpu([](std::string_view, double) {}).gpu;
  const auto number = [&](int i) { return std::clamp(std::atoi(arguments[i]), 1, 40); };
  bool all_right = true;
  for (int i = 4; i < count; ++i) {
    gpu::DrawnPlans one;
    one.problem.operation = from_name(kOperations, "op", arguments[0]);
    one.problem.types = parse_types("types", arguments[1]);
    one.problem.n = uint64_t{1} << number(2);
    one.problem.m = static_cast<uint64_t>(std::lround(std::exp2(std::atof(arguments[i]))));
    for (const bool is_sorted : {false, true}) {
      for (const GpuPlan& plan : near_best(gpu, one.problem, is_sorted)) {
        one.plans.push_back(plan);
      }
    }
    all_right = print(std::move(one), number(3)) && all_right;
  }
  return all_right;
}

bool time_drawn(char** arguments) {
  gpu::PlanDraw draw;
  draw.seed = std::strtoull(arguments[0], nullptr, 10);
  draw.points = std::max<uint64_t>(1, std::strtoull(arguments[1], nullptr, 10));
  draw.log2_most_n = std::clamp(std::atoi(arguments[2]), 12, 30);
  const Gpu device = gpu::describe_gpu();
  draw.device = gpu::limits_of(device);
  draw.l2_bytes = device.l2_bytes;
  bool all_right = true;
  for (gpu::DrawnPlans& one : gpu::draw_plans(draw)) {
    all_right = print(std::move(one), std::max(1, std::atoi(arguments[3]))) && all_right;
  }
  return all_right;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_over = argc >= 7 && std::string(argv[1]) == "over";
  if (!is_over && argc != 5) {
    std::fprintf(stderr,
                 "usage: gpu_drawn_grid SEED POINTS LOG2_MOST_N ROUNDS\n"
                 "       gpu_drawn_grid over OP LABEL+VALUE LOG2_N ROUNDS LOG2_M...\n");
    return 2;
  }
  try {
    return (is_over ? time_over_buckets(argc - 2, argv + 2) : time_drawn(argv + 1)) ? 0 : 1;
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
