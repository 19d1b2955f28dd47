#include "presort/gpu/plan/plan_list.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "presort/core/text/units.h"
#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_check.h"

namespace presort::inline v0::gpu {
namespace {

constexpr Operation kOperationsOfGpu[] = {Operation::multireduce,
                                          Operation::scatter,
                                          Operation::gather,
                                          Operation::histogram,
                                          Operation::multiscan,
                                          Operation::multitag,
                                          Operation::partialSort,
                                          Operation::segmentedReduce,
                                          Operation::segmentedScan,
                                          Operation::scan,
                                          Operation::compact,
                                          Operation::reduceAxes,
                                          Operation::multireduceInOrder};

}  // namespace

void check_gpu_operation(const Problem& problem) {
  const Operation operation = problem.operation;
  if (std::find(std::begin(kOperationsOfGpu), std::end(kOperationsOfGpu), operation) ==
      std::end(kOperationsOfGpu)) {
    std::string accepted;
    for (const Operation known : kOperationsOfGpu) {
      accepted += (accepted.empty() ? "" : ", ") + to_name(kOperations, known);
    }
    throw PlanError("op: found '" + to_name(kOperations, operation) + "', accepted: " + accepted +
                    "; a GPU has no other yet");
  }
  if (size_bytes(problem.types.label) < 4 && operation != Operation::histogram &&
      operation != Operation::compact) {
    throw PlanError("type: found '" + to_name(kScalarTypes, problem.types.label) +
                    "' for labels of a " + to_name(kOperations, operation) +
                    ", accepted: u32, u64; a histogram has u8, u16 too");
  }
}

size_t table_entry_bytes(const Problem& problem) {
  if (problem.operation == Operation::scatter) {
    return 4;
  }
  return size_bytes(problem.types.value);
}

void check_gpu_problem(const Problem& problem, const GpuPlan& plan, const DeviceLimits& device) {
  check_gpu_operation(problem);
  if (problem.operation == Operation::partialSort) {
    const int bits = label_bits(problem.m);
    check_gpu_sort(plan, {problem.n, problem.m, size_bytes(problem.types.value)});
    if (plan.presort->sort_bits != bits) {
      throw PlanError("sortBits: found " + std::to_string(plan.presort->sort_bits) +
                      ", accepted: " + std::to_string(bits) + ": a partialSort into m=" +
                      format_count(problem.m) + " parts is by all of their bits");
    }
  } else if (scans_buckets(problem.operation)) {
    const size_t value_bytes = size_bytes(problem.types.value);
    check_gpu_scan(plan, {problem.n, problem.m, value_bytes}, device);
    check_tiled_inputs(sorts_tiles(plan, problem.m, scan_table_bits(device, value_bytes)),
                       problem.n);
  } else if (problem.operation == Operation::multireduceInOrder) {
    const size_t value_bytes = size_bytes(problem.types.value);
    check_gpu_order(plan, {problem.n, problem.m, value_bytes});
    check_tiled_inputs(sorts_tiles(plan, problem.m, most_table_bits(value_bytes)), problem.n);
  } else if (!has_one_gpu_plan(problem.operation)) {
    check_gpu_plan(plan, {problem.n, problem.m, table_entry_bytes(problem)}, device);
  }
}

bool runs_on(const Problem& problem, const GpuPlan& plan, const DeviceLimits& device) {
  try {
    check_gpu_problem(problem, plan, device);
    return true;
  } catch (const PlanError&) {
    return false;
  }
}

std::vector<GpuPlan> ordered_gpu_plans(const Problem& problem) {
  const GpuProblem of{problem.n, problem.m, size_bytes(problem.types.value)};
  std::vector<GpuPlan> plans;
  const auto add_if_legal = [&](const GpuPlan& plan) {
    try {
      check_gpu_order(plan, of);
      check_tiled_inputs(sorts_tiles(plan, of.m, most_table_bits(of.value_bytes)), of.n);
      plans.push_back(plan);
    } catch (const PlanError&) {
      // No plan of this problem
    }
  };
  add_if_legal({});
  const int bits = label_bits(problem.m);
  for (int sort_bits = 1; sort_bits <= bits; ++sort_bits) {
    const int least = (sort_bits + kMaxDigitBits - 1) / kMaxDigitBits;
    for (int passes = least; passes <= least + 1; ++passes) {
      add_if_legal({.presort = GpuPresort{.sort_bits = sort_bits, .passes = passes}});
    }
  }
  return plans;
}

std::vector<GpuPlan> gpu_plans(const Problem& problem, const DeviceLimits& device) {
  check_gpu_operation(problem);
  std::vector<GpuPlan> plans;
  for_each_gpu_plan(problem, device, [&](const GpuPlan& plan) { plans.push_back(plan); });
  return plans;
}

}  // namespace presort::gpu
