#include "presort/app/run/timed_plans.h"

#include <algorithm>
#include <map>
#include <utility>

#include "presort/app/machines/load_report.h"
#include "presort/app/printing/notes.h"
#include "presort/core/base/checked.h"
#include "presort/cpu/runner/runner.h"
#include "presort/gpu/runner/runner.h"
#include "presort/probe/assemble/core_defaults.h"
#include "presort/probe/host/host_nodes.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/load_watch.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/load/quiet_team.h"

namespace presort::inline v0::app {
namespace {

constexpr int kLooks = 4;  // number of looks at the core before the runs, and again after

// Looks at the core that the thread is on, in looks of 60 us, for the load watch.
void look_at_core(probe::LoadWatch& watch) {
  for (int look = 0; look < kLooks; ++look) {
    watch.add_look(probe::settled_core_state());
  }
}

using Runners = std::map<PageSize, cpu::Runner>;

// Refuses a problem that is too large for memory before any memory is taken. Runners of two page
// sizes hold their memory at the same time.
void require_memory_of(const Problem& problem, const std::vector<CpuPlan>& plans, bool check) {
  std::map<PageSize, uint64_t> most;
  for (const CpuPlan& plan : plans) {
    uint64_t& bytes = most[plan.resources.page_size];
    bytes = std::max(bytes, cpu::required_bytes(problem, plan, check));
  }
  uint64_t all = 0;
  for (const auto& [page_size, bytes] : most) {
    all = saturating_add(all, bytes);
  }
  cpu::require_memory_for(problem, all);
}

// Makes one runner for each page size, with scratch memory for all plans of that size.
Runners make_runners(const Problem& problem, const std::vector<CpuPlan>& plans,
                     const std::shared_ptr<const LabelSource>& labels, const std::vector<int>& cpus,
                     const cpu::HostNodes& nodes) {
  std::map<PageSize, uint64_t> scratch;
  for (const CpuPlan& plan : plans) {
    uint64_t& bytes = scratch[plan.resources.page_size];
    bytes = std::max(bytes, cpu::Runner::scratch_bytes(problem, plan));
  }
  Runners runners;
  for (const auto& [page_size, bytes] : scratch) {
    const auto made =
        runners.emplace(page_size, cpu::Runner(problem, page_size, labels, bytes, cpus));
    made.first->second.use_nodes(nodes);
  }
  return runners;
}

std::vector<Measurement> run_rounds(const Problem& problem, const std::vector<CpuPlan>& plans,
                                    Runners& runners, int reps, bool check) {
  std::vector<Measurement> runs;
  for (const CpuPlan& plan : plans) {
    cpu::Runner& runner = runners.at(plan.resources.page_size);
    Measurement& run = runs.emplace_back();
    run.problem = problem;
    run.plan = plan;
    if (check) {
      run.checked = runner.check(plan);
    } else {
      runner.run_once(plan);
    }
  }
  for (size_t round = 0; round < static_cast<size_t>(reps); ++round) {
    for (size_t i = 0; i < runs.size(); ++i) {
      Measurement& run = runs[(round + i) % runs.size()];
      cpu::Runner& runner = runners.at(run.plan.resources.page_size);
      run.samples_ns_per_input.push_back(runner.run_once(run.plan));
      run.initialise_ns_per_input = runner.initialise_ns_per_input();
    }
  }
  for (Measurement& run : runs) {
    run.huge_page_bytes = runners.at(run.plan.resources.page_size).huge_page_bytes();
  }
  return runs;
}

int most_threads(const std::vector<CpuPlan>& plans) {
  int most = 1;
  for (const CpuPlan& plan : plans) {
    most = std::max(most, plan.resources.threads);
  }
  return most;
}

}  // namespace

TimedPlans time_side_by_side(const Problem& problem, const std::vector<CpuPlan>& plans,
                             const std::shared_ptr<const LabelSource>& labels, int reps,
                             bool check) {
  require_memory_of(problem, plans, check);
  probe::LoadWatch watch;
  const probe::Topology topology = probe::this_topology();
  const int threads = most_threads(plans);
  write_to_stderr(turns_note(threads, topology.cores));
  std::vector<int> cpus = topology.cpus;
  probe::QuietCore core(cpus);
  if (threads == 1) {
    core.settle();
  } else {
    cpus = probe::QuietTeam(cpus).settle(static_cast<size_t>(threads));
  }
  TimedPlans timed;
  watch.during([&] {
    Runners runners = make_runners(problem, plans, labels, cpus, probe::host_nodes());
    if (threads == 1) {
      look_at_core(watch);
    }
    timed.runs = run_rounds(problem, plans, runners, reps, check);
    if (threads == 1) {
      look_at_core(watch);
    }
  });
  const probe::UncrowdedCore uncrowded = {.adds_per_cycle = probe::uncrowded_adds_per_cycle(
                                              probe::core_defaults(probe::this_cpu(), topology))};
  timed.load = probe::judge_load(watch.load(uncrowded), threads);
  return timed;
}

std::vector<GpuMeasurement> time_in_turn(const Problem& problem, const std::vector<GpuPlan>& plans,
                                         const std::shared_ptr<const LabelSource>& labels, int reps,
                                         bool check) {
  std::vector<GpuMeasurement> runs;
  runs.reserve(plans.size());
  for (const GpuPlan& plan : plans) {
    runs.push_back(gpu::measure(problem, plan, labels, reps, check));
  }
  return runs;
}

}  // namespace presort::app
