#include "presort/app/measure/core_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/validate/quiet_runs.h"
#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/cpu/runner/runner.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::app {

namespace {

constexpr size_t kRounds = 31;
constexpr size_t kKept = 15;  // timed slices kept of each kernel
// Length of a timed slice, ns; ten times the two looks at the core
constexpr double kSliceNs = 4e5;

struct Timed {
  CalibrationPoint point;
  cpu::Runner* runner = nullptr;
  std::vector<TimedRun> slices;
};

// Runs a kernel for the time of a slice. Returns the median of its runs, in cycles of the core.
TimedRun time_slice(Timed& timed) {
  std::vector<double> runs;
  TimedRun slice = probe::take_slice(1, [&] {
    const auto start = probe::SteadyClock::now();
    do {
      runs.push_back(timed.runner->run_once(timed.point.plan));
    } while (probe::ns_since(start) < kSliceNs);
  });
  slice.value_ns = median(runs) / slice.cycle_ns;
  return slice;
}

void conclude(Timed& timed, double level, double clock_hz) {
  std::vector<double> cycles;
  for (const size_t i : runs_to_keep(timed.slices, level, kKept)) {
    cycles.push_back(timed.slices[i].value_ns);
  }
  timed.point.measured_ns = median(cycles) * 1e9 / clock_hz;
  timed.point.quiet = static_cast<int>(count_quiet(timed.slices, level));
  timed.point.runs = static_cast<int>(timed.slices.size());
}

// The input arrays of each problem, shared by all its plans.
class Arrays {
 public:
  cpu::Runner& of(const Problem& problem, const std::vector<CpuPlan>& plans, PageSize page_size) {
    uint64_t scratch = 0;
    for (const CpuPlan& plan : plans) {
      if (can_run(plan, problem) && plan.resources.page_size == page_size) {
        scratch = std::max(scratch, cpu::Runner::scratch_bytes(problem, plan));
      }
    }
    const auto key = std::pair(to_string(problem), page_size);
    return runners_.try_emplace(key, problem, page_size, problem_labels(problem), scratch)
        .first->second;
  }

 private:
  std::map<std::pair<std::string, PageSize>, cpu::Runner> runners_;
};

}  // namespace

std::vector<CalibrationPoint> time_core_points(const io::PlanGrid& grid, double clock_hz,
                                               Progress& progress) {
  Arrays arrays;
  std::vector<Timed> all;
  for (const Problem& problem : grid.problems) {
    for (const CpuPlan& plan : grid.plans) {
      if (can_run(plan, problem)) {
        Timed& timed = all.emplace_back();
        timed.point.problem = problem;
        timed.point.plan = plan;
        timed.runner = &arrays.of(problem, grid.plans, plan.resources.page_size);
      }
    }
  }
  probe::QuietCore core(probe::this_topology().cpus);
  for (size_t round = 0; round < kRounds; ++round) {
    for (Timed& timed : all) {
      interrupt_token().check();
      core.settle();
      // One untimed run brings the kernel's data back to the nearest caches
      timed.runner->run_once(timed.point.plan);
      timed.slices.push_back(time_slice(timed));
    }
    progress.update(round + 1, kRounds, fmt::format("{} kernels", all.size()));
  }
  std::vector<TimedRun> slices;
  for (const Timed& timed : all) {
    slices.insert(slices.end(), timed.slices.begin(), timed.slices.end());
  }
  std::vector<CalibrationPoint> points;
  for (Timed& timed : all) {
    conclude(timed, quiet_level(slices), clock_hz);
    points.push_back(timed.point);
  }
  return points;
}

}  // namespace presort::app
