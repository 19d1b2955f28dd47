// Times operations that have one plan on a GPU, over sizes and shapes, by the command's own runner:
// what their closed form is judged by (bench/gpu/regret.cpp).
//   gpu_one_plan_grid LOG2_MOST_N ROUNDS
// Every run is compared with plain loops first. Prints a line of JSON for each problem, as
// gpu_ordered_grid does, the only plan being "strategy=globalSets"; exit status 1 when a result
// differs.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/problem.h"
#include "presort/gpu/runner/runner.h"

using namespace presort;

namespace {

bool all_right = true;

// Times a problem and prints its line.
void print(const Problem& problem, int rounds) {
  const auto labels = make_labels(problem.distribution, problem.n, problem.m, problem.seed);
  const GpuPlan plan = gpu::choose_plan(problem, *labels);
  const GpuMeasurement found = gpu::measure(problem, plan, labels, rounds, true);
  all_right = all_right && found.checked;
  std::printf("{\"op\": \"%s\", \"types\": \"%s\", \"n\": %zu, \"m\": %zu, \"dist\": \"%s\", ",
              to_name(kOperations, problem.operation).c_str(), to_string(problem.types).c_str(),
              static_cast<size_t>(problem.n), static_cast<size_t>(problem.m),
              to_string(problem.distribution).c_str());
  if (problem.operation == Operation::reduceAxes) {
    std::printf("\"shape\": \"%s\", \"axes\": \"%s\", ", to_string(problem.shape).c_str(),
                to_string(problem.axes).c_str());
  }
  std::printf("\"checked\": %s, \"plans\": {\"%s\": %.5f}}\n", found.checked ? "true" : "false",
              to_string(plan).c_str(), median(found.samples_ns_per_input));
  std::fflush(stdout);
}

Problem problem_of(Operation operation, uint64_t n, uint64_t m, const char* types,
                   const char* labels = "uniform") {
  return {.operation = operation,
          .n = n,
          .m = m,
          .distribution = parse_distribution("dist", labels),
          .types = parse_types("types", types)};
}

Problem axes_problem(const std::string& shape, const char* axes, const char* types) {
  Problem problem = problem_of(Operation::reduceAxes, 0, 0, types);
  problem.shape = parse_extents("shape", shape);
  problem.axes = parse_axis_set("axes", axes);
  problem.n = element_count(problem.shape);
  problem.m = kept_count(problem.shape, problem.axes);
  return problem;
}

// Problems of n values: scans, compactions, segments of one length and of random ones.
void print_of_values(uint64_t n, int rounds) {
  for (const char* types : {"u32+u32", "u32+f32", "u32+f64"}) {
    print(problem_of(Operation::scan, n, 1, types), rounds);
  }
  for (const char* types : {"u8+u32", "u8+f64"}) {
    for (const uint64_t m : {2, 3, 256}) {
      print(problem_of(Operation::compact, n, m, types), rounds);
    }
  }
  for (const Operation operation : {Operation::segmentedReduce, Operation::segmentedScan}) {
    for (const char* types : {"u32+u32", "u32+f64"}) {
      for (const uint64_t length : {uint64_t{8}, uint64_t{1024}, n / 4}) {
        print(problem_of(operation, n, n / length, types, "sequential"), rounds);
      }
      print(problem_of(operation, n, n / 16, types, "zipf:1"), rounds);
    }
  }
}

// Reductions over axes of tensors of 2^(2 half) elements.
void print_of_tensors(int half, int rounds) {
  const std::string side = "2^" + std::to_string(half);
  const std::string square = side + "x" + side;
  for (const char* types : {"u32+f32", "u32+f64"}) {
    print(axes_problem(square, "0", types), rounds);
    print(axes_problem(square, "1", types), rounds);
    print(axes_problem(square, "0,1", types), rounds);
    print(axes_problem("16x" + side + "x2^" + std::to_string(half - 4), "1", types), rounds);
    print(axes_problem("16x" + side + "x2^" + std::to_string(half - 4), "0,2", types), rounds);
    print(axes_problem("2^" + std::to_string(2 * half - 4) + "x16", "1", types), rounds);
    print(axes_problem("2^" + std::to_string(2 * half - 4) + "x16", "0", types), rounds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gpu_one_plan_grid LOG2_MOST_N ROUNDS\n");
    return 2;
  }
  const int most = std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  try {
    for (int bits = 12; bits <= most; bits += bits < 20 ? 4 : 2) {
      print_of_values(uint64_t{1} << bits, rounds);
      print_of_tensors(bits / 2, rounds);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return all_right ? 0 : 1;
}
