// Runs drawn plans one after the other, for a profiler that counts what their kernels do (ncu): an
// empty kernel named next_plan stands before each plan, and behind it the kernels of two runs, of
// which the second counts.
//   gpu_counted_plans SEED PLANS [LOG2_LEAST_N LOG2_MOST_N PLANS_OF_PROBLEM]
// Draws problems of the operations that can be simulated, of 2^20 to 2^24 inputs unless told
// otherwise, and takes up to two plans of each, or as many as told. Prints a line of JSON for each
// plan; counted_record.py joins it with the counts, and gpu_simulated_counts sets these beside
// simulated ones. With the counter gpu__time_duration.sum a profiler gives the time of each kernel.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/host/cuda_check.h"
#include "presort/gpu/plan/draw/drawn_plans.h"
#include "presort/gpu/runner/probe.h"
#include "presort/gpu/runner/runner.h"

using namespace presort;

namespace {

__global__ void next_plan() {}

bool is_counted(const Problem& problem, int log2_least_n) {
  return (problem.operation == Operation::multireduce ||
          problem.operation == Operation::histogram || problem.operation == Operation::scatter ||
          problem.operation == Operation::gather) &&
         problem.n >= uint64_t{1} << log2_least_n;
}

// Runs a plan and prints its line.
void run(const Problem& problem, const GpuPlan& plan) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  next_plan<<<1, 1>>>();
  PRESORT_CUDA(cudaDeviceSynchronize());
  gpu::measure(problem, plan, labels, 1, false);
  std::printf(
      "{\"op\": \"%s\", \"types\": \"%s\", \"n\": %llu, \"m\": %llu, \"dist\": \"%s\", \"seed\": "
      "%llu, "
      "\"plan\": \"%s\"}\n",
      to_name(kOperations, problem.operation).c_str(), to_string(problem.types).c_str(),
      static_cast<unsigned long long>(problem.n), static_cast<unsigned long long>(problem.m),
      to_string(problem.distribution).c_str(), static_cast<unsigned long long>(problem.seed),
      to_string(plan).c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 6) {
    std::fprintf(
        stderr,
        "usage: gpu_counted_plans SEED PLANS [LOG2_LEAST_N LOG2_MOST_N PLANS_OF_PROBLEM]\n");
    return 2;
  }
  try {
    const uint64_t wanted = std::strtoull(argv[2], nullptr, 10);
    gpu::PlanDraw draw;
    draw.seed = std::strtoull(argv[1], nullptr, 10);
    draw.points = 40 * wanted;
    draw.log2_most_n = argc == 6 ? std::clamp(std::atoi(argv[4]), 12, 30) : 24;
    const int log2_least_n = argc == 6 ? std::clamp(std::atoi(argv[3]), 0, 30) : 20;
    const size_t plans_of_problem = argc == 6 ? std::strtoull(argv[5], nullptr, 10) : 2;
    draw.device = gpu::limits_of(gpu::describe_gpu());
    uint64_t done = 0;
    for (const gpu::DrawnPlans& one : gpu::draw_plans(draw)) {
      if (!is_counted(one.problem, log2_least_n)) {
        continue;
      }
      for (size_t i = 0; i < one.plans.size() && i < plans_of_problem && done < wanted;
           ++i, ++done) {
        run(one.problem, one.plans[i]);
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
