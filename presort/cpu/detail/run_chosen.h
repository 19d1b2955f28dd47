// Carries out a call of choose.h: gets its plan, its scratch and its threads.
#pragma once

#include <cstddef>
#include <span>

#include "presort/core/choice/plan_choice.h"
#include "presort/cpu/call_options.h"
#include "presort/cpu/detail/arguments.h"
#include "presort/cpu/detail/chosen_plan.h"
#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/thread_team.h"

namespace presort::inline v0::cpu {

// A plan changed for an ⊙ that does not associate: without private tables and bucket sets, on as many
// threads.
inline CpuPlan without_grouping(CpuPlan plan) {
  plan.base.n_sets = 1;
  if (plan.base.strategy == CpuStrategy::privateTables) {
    plan.base.strategy = CpuStrategy::direct;
  }
  return plan;
}

// The plan changed to run on `threads` threads. If it gets more threads, it loses its chunks: each share
// of the inputs would need a pool of chunks with at least one chunk for each part.
inline CpuPlan on_team(CpuPlan plan, int threads) {
  if (plan.presort && threads > plan.resources.threads) {
    plan.presort->chunk_bytes = 0;
  }
  plan.resources.threads = threads;
  return plan;
}

// Chooses the plan for a call. bytes_of(plan): bytes of scratch that a plan needs.
template <class Value, class Label, class BytesOf>
PlanChoice choose_for_call(Operation operation, std::span<const Label> labels, size_t m,
                           const Tuned& tuned, const CallOptions& options,
                           const BytesOf& bytes_of) {
  ExtraNs extra;
  if (!options.scratch && !labels.empty()) {
    extra = [&](const CpuPlan& plan) {
      return static_cast<double>(bytes_of(plan)) * first_touch_ns(plan.resources.page_size) /
             static_cast<double>(labels.size());
    };
  }
  PlanChoice choice = choose<Value>(operation, labels, m, tuned, extra);
  if (options.threads) {
    const CpuPlan of_team = on_team(choice.plan, static_cast<int>(options.threads->size()));
    choice.plan = can_run(of_team, choice.problem) ? of_team : choice.plan;
  }
  return choice;
}

// Calls run(plan, scratch, threads) with the caller's team if its size is the plan's number of
// threads, or a team started for the call.
// Errors: EnvironmentError when there is no memory for the scratch, or no team can be started
template <class Run>
void run_plan(CpuPlanArgument plan, size_t scratch_bytes, const CallOptions& options,
              const Run& run) {
  Scratch own;
  Scratch& scratch = options.scratch ? *options.scratch : own;
  const std::span<std::byte> bytes = scratch.reserve(scratch_bytes, plan->resources.page_size);
  const auto threads = static_cast<size_t>(plan->resources.threads);
  if (options.threads && options.threads->size() == threads) {
    return run(plan, bytes, *options.threads);
  }
  ThreadTeam started(threads);
  run(plan, bytes, started);
}

// Chooses a plan for a call and runs it as run_plan does. kGroups: false if ⊙ does not associate,
// so that plans may not group the inputs of a bucket.
template <class Value, bool kGroups = true, class Label, class BytesOf, class Run>
PlanChoice run_chosen(Operation operation, std::span<const Label> labels, size_t m,
                      const PlanSource& source, const CallOptions& options, const BytesOf& bytes_of,
                      const Run& run) {
  PlanChoice choice;
  CpuPlanArgument plan(choice.plan);
  if (source.plan() != nullptr) {
    choice.plan = *source.plan();
    choice.problem = problem_like<Label, Value>(operation, labels.size(), m);
    check_plan_for<Label>(operation, plan, labels.size(), m);
  } else {
    choice = choose_for_call<Value>(operation, labels, m, source.table(), options, bytes_of);
    choice.plan = kGroups ? choice.plan : without_grouping(choice.plan);
  }
  run_plan(plan, bytes_of(choice.plan), options, run);
  return choice;
}

}  // namespace presort::cpu
