#include "presort/app/loops/measure_loops.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "presort/app/cli/interrupt.h"
#include "presort/app/validate/quiet_runs.h"
#include "presort/app/validate/score/shuffled.h"
#include "presort/core/measurement.h"
#include "presort/cpu/loops/loop_runner.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::app {

namespace {

// Items of a timed run of a loop: 0.1 ms if the data are in the first cache level, some
// milliseconds in memory.
constexpr uint64_t kTimedItems = uint64_t{1} << 18;

class LoopSession {
 public:
  LoopSession(std::vector<LoopPoint>& points, const MeasureOptions& options,
              probe::LoadWatch& watch, Progress& progress)
      : points_(points),
        options_(options),
        watch_(watch),
        progress_(progress),
        runs_of_(points.size()),
        total_(points.size() * reps()) {}

  void measure_all() {
    for (const Named<PageSize>& pages : kPageSizes) {
      std::vector<size_t> which;
      for (size_t i = 0; i < points_.size(); ++i) {
        if (points_[i].loop.page_size == pages.value) {
          which.push_back(i);
        }
      }
      if (!which.empty() && !interrupted()) {
        measure_pages(which, pages.value);
      }
    }
    keep_quiet_runs();
  }

 private:
  void measure_pages(const std::vector<size_t>& which, PageSize page_size) {
    uint64_t largest = 0;
    uint64_t streamed = 0;
    for (const size_t i : which) {
      largest = std::max(largest, points_[i].loop.footprint_bytes);
      streamed = std::max(streamed, points_[i].loop.streamed_items);
    }
    cpu::LoopRunner runner(largest, streamed, page_size);
    for (size_t round = 0; round < reps(); ++round) {
      watch_.during([&] { run_round(which, runner, ""); });
    }
    for (size_t round = 0; round < reps() / 2; ++round) {
      const std::vector<size_t> loud = without_enough_quiet(which);
      total_ += loud.size();
      watch_.during([&] { run_round(loud, runner, ", again until it is quiet"); });
    }
  }

  void run_round(const std::vector<size_t>& which, cpu::LoopRunner& runner,
                 const std::string& why) {
    for (const size_t place : shuffled(which.size(), options_.seed, counter_)) {
      if (interrupted()) {
        return;
      }
      const size_t i = which[place];
      core_.settle();
      runs_of_[i].push_back(time_run(runner, points_[i].loop));
      progress_.update(++done_, total_, to_string(points_[i].loop) + why);
    }
  }

  // Runs a loop once. The next run goes on with the next items, so that random numbers do not
  // repeat and all of the arrays of indices and values is used.
  TimedRun time_run(cpu::LoopRunner& runner, const Loop& loop) {
    const uint64_t warm_up = warm_up_items(loop);
    runner.run(loop, at_, warm_up);
    const uint64_t first = at_ + warm_up;
    at_ = first + kTimedItems;
    const TimedRun run =
        probe::take_slice(kTimedItems, [&] { runner.run(loop, first, kTimedItems); });
    for (const double crowding : {run.crowding_before, run.crowding_after}) {
      watch_.add_look({.cycle_ns = run.cycle_ns, .crowding = crowding});
    }
    return without_harmless_preemptions(run, run.value_ns * kTimedItems);
  }

  double quiet_level_so_far() const {
    std::vector<TimedRun> all;
    for (const std::vector<TimedRun>& runs : runs_of_) {
      all.insert(all.end(), runs.begin(), runs.end());
    }
    return all.empty() ? 0 : quiet_level(all, options_.core);
  }

  std::vector<size_t> without_enough_quiet(const std::vector<size_t>& which) const {
    const double level = quiet_level_so_far();
    std::vector<size_t> loud;
    std::copy_if(which.begin(), which.end(), std::back_inserter(loud),
                 [&](size_t i) { return count_quiet(runs_of_[i], level) < reps(); });
    return loud;
  }

  void keep_quiet_runs() {
    const double level = quiet_level_so_far();
    for (size_t i = 0; i < points_.size(); ++i) {
      std::vector<double> cycles;
      for (const size_t run : runs_to_keep(runs_of_[i], level, reps())) {
        points_[i].ns.push_back(runs_of_[i][run].value_ns);
        cycles.push_back(runs_of_[i][run].cycle_ns);
      }
      points_[i].quiet = std::min(count_quiet(runs_of_[i], level), reps());
      points_[i].cycle_ns = cycles.empty() ? 0 : median(cycles);
    }
  }

  size_t reps() const { return static_cast<size_t>(options_.reps); }

  std::vector<LoopPoint>& points_;
  const MeasureOptions& options_;
  probe::LoadWatch& watch_;
  Progress& progress_;
  probe::QuietCore core_{probe::this_topology().cpus};
  std::vector<std::vector<TimedRun>> runs_of_;  // runs_of_[i]: the timed runs of loop i
  uint64_t counter_ = 0;
  uint64_t at_ = 0;
  size_t done_ = 0;
  size_t total_ = 0;
};

}  // namespace

void measure_loops(std::vector<LoopPoint>& points, const MeasureOptions& options,
                   probe::LoadWatch& watch, Progress& progress) {
  LoopSession(points, options, watch, progress).measure_all();
}

}  // namespace presort::app
