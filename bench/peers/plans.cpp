#include "bench/peers/plans.h"

#include <memory>

#include "presort/core/error.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/multireduce.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::bench::peers {

namespace {

struct NamedPlan {
  const char* name;
  const char* text;
};

// Plans name bufferBytes=256, the default, for readers of the table.
constexpr NamedPlan kPlans[] = {
    {"plain loop", "sortBits=0"},
    {"prefetch 16", "prefetchDistance=16"},
    {"sortBits=8", "sortBits=8,bufferBytes=256B"},
    {"sortBits=10", "sortBits=10,bufferBytes=256B"},
};

std::function<void(const Arrays&)> run_of(Operation operation, const CpuPlan& plan,
                                          const std::shared_ptr<cpu::ThreadTeam>& team) {
  if (operation == Operation::histogram) {
    return [plan](const Arrays& arrays) {
      cpu::histogram<Label, Value>(arrays.labels, arrays.buckets, plan, arrays.scratch);
    };
  }
  return [plan, team](const Arrays& arrays) {
    cpu::multireduce<Label, Value>(arrays.labels, arrays.values, arrays.buckets, Sum<Value>{}, plan,
                                   arrays.scratch, *team);
  };
}

size_t scratch_of(const Problem& problem, const CpuPlan& plan) {
  return problem.operation == Operation::histogram
             ? cpu::histogram_scratch_bytes<Label>(plan, problem.n, problem.m)
             : cpu::multireduce_scratch_bytes<Label, Value>(plan, problem.n, problem.m);
}

}  // namespace

void add_plans(std::vector<Contender>& contenders, std::vector<std::string>& left_out, uint64_t n,
               uint64_t m, std::span<const int> cpus) {
  const auto add = [&](Operation operation, const NamedPlan& named, const auto& team) {
    const int threads = static_cast<int>(team->size());
    const std::string name =
        named.name + (threads > 1 ? ", " + std::to_string(threads) + " threads" : std::string());
    CpuPlan plan = parse_cpu_plan(named.text);
    plan.resources.threads = threads;
    Problem problem;
    problem.operation = operation;
    problem.n = n;
    problem.m = m;
    try {
      check_plan(plan, problem);
    } catch (const PlanError& error) {
      left_out.push_back(name + ": " + error.what());
      return;
    }
    contenders.push_back({.name = name,
                          .operation = operation,
                          .ours = true,
                          .threads = threads,
                          .scratch_bytes = scratch_of(problem, plan),
                          .run = run_of(operation, plan, team)});
  };
  const auto alone = std::make_shared<cpu::ThreadTeam>(1);
  for (const NamedPlan& named : kPlans) {
    add(Operation::multireduce, named, alone);
    add(Operation::histogram, named, alone);
  }
  if (cpus.size() > 1) {
    const auto all = std::make_shared<cpu::ThreadTeam>(cpus.size(), cpus);
    for (const NamedPlan& named : kPlans) {
      add(Operation::multireduce, named, all);
    }
  }
}

}  // namespace presort::bench::peers
