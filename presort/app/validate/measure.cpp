#include "presort/app/validate/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <optional>
#include <thread>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/problem_options.h"
#include "presort/app/validate/busy_spells.h"
#include "presort/app/validate/kept_points.h"
#include "presort/app/validate/quiet_runs.h"
#include "presort/app/validate/quiet_times.h"
#include "presort/app/validate/score/drift.h"
#include "presort/app/validate/score/shuffled.h"
#include "presort/app/validate/score/statistics.h"
#include "presort/core/error.h"
#include "presort/core/measurement.h"
#include "presort/cpu/runner/runner.h"
#include "presort/probe/host/host_nodes.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/load/quiet_team.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::app {

namespace {

// The reference kernel: direct updates of 4 KiB of buckets, 256 KiB of inputs read in order, all in
// the nearest caches. Its time shows the clock, stolen time and a busy sibling, and not what the
// run before left in the caches. It does not show the memory's bandwidth either: with 16 MiB of
// inputs, which did show it, a last level of 300 MiB kept them after small runs and not after large
// ones, and the reference spread by a third. (Updates of 4 MiB of buckets spread 14 % beside
// kernels that spread 1 %.)
Problem reference_problem() {
  return {.operation = Operation::multireduce,
          .n = uint64_t{1} << 15,
          .m = uint64_t{1} << 10,
          .distribution = {},
          .types = {}};
}

// A run that takes less may find in the caches what another plan's run has left there. It is timed after
// one of its own plan, as it is predicted.
constexpr std::chrono::milliseconds kShortRun{50};

constexpr int kReferenceWarmUps = 4;
// Number of runs of the reference kernel whose median, half a millisecond, is one reference time
constexpr int kReferenceRuns = 32;
constexpr size_t kDriftHalfWindow = 6;

class Session {
 public:
  Session(std::vector<ProblemPoints>& all, const MeasureOptions& options, probe::LoadWatch& watch,
          Progress& progress)
      : all_(all),
        options_(options),
        watch_(watch),
        progress_(progress),
        wait_(
            options.wait_quiet_s, [this] { return moment(); },
            [](double seconds) {
              std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
            }),
        reference_(reference_problem(), reference_plan_.resources.page_size,
                   problem_labels(reference_problem()), 0) {
    reference_.run_once(reference_plan_);
    time_reference();
    for (const ProblemPoints& item : all) {
      total_ += item.measured ? 0 : item.points.size() * static_cast<size_t>(options.reps);
    }
  }

  DriftReport measure_all() {
    for (const size_t index : shuffled(all_.size(), options_.seed, counter_)) {
      if (all_[index].measured) {
        continue;
      }
      try {
        interrupt_token().check();
        measure_problem(all_[index]);
      } catch (const Stopped&) {
        forget_runs(all_[index]);
        break;
      } catch (const EnvironmentError& error) {
        all_[index].skipped = error.what();
      } catch (const std::bad_alloc&) {
        all_[index].skipped = "not enough memory";
      }
    }
    normalise();
    return {references_.size(), median(references_), relative_spread(references_), wait_.waited_s(),
            wait_.ran_out()};
  }

 private:
  struct Run {
    Point* point;
    TimedRun timed;
  };
  using Runners = std::map<PageSize, cpu::Runner>;

  void time_reference() {
    for (int run = 0; run < kReferenceWarmUps; ++run) {
      reference_.run_once(reference_plan_);
    }
    std::vector<double> times;
    times.reserve(kReferenceRuns);
    for (int run = 0; run < kReferenceRuns; ++run) {
      times.push_back(reference_.run_once(reference_plan_));
    }
    references_.push_back(median(times));
  }

  Runners make_runners(const ProblemPoints& item) const {
    std::map<PageSize, uint64_t> scratch;
    for (const Point& point : item.points) {
      uint64_t& bytes = scratch[point.plan.resources.page_size];
      bytes = std::max(bytes, cpu::Runner::scratch_bytes(item.problem, point.plan));
    }
    const auto labels = problem_labels(item.problem);
    Runners runners;
    for (const auto& [page_size, bytes] : scratch) {
      const auto made = runners.emplace(
          page_size, cpu::Runner(item.problem, page_size, labels, bytes, cpus_, interrupt_token()));
      made.first->second.use_nodes(nodes_);
    }
    return runners;
  }

  void measure_problem(ProblemPoints& item) {
    core_.release();  // inputs are made by threads that may run on any core
    Runners runners = make_runners(item);
    std::vector<Point*> points;
    for (Point& point : item.points) {
      points.push_back(&point);
    }
    for (auto& [page_size, runner] : runners) {
      for (const Point* point : points) {
        if (point->plan.resources.page_size == page_size) {
          runner.run_once(point->plan);  // warms up the kernel, untimed
          break;
        }
      }
    }
    const std::string title = to_string(item.problem);
    run_rounds(points, runners, title);
    normalise();
    std::vector<Point*> again;
    for (Point* point : points) {
      if (relative_spread(point->ns) > kMaxSpread) {
        point->rerun = true;
        again.push_back(point);
      }
    }
    total_ += again.size() * static_cast<size_t>(options_.reps);
    run_rounds(again, runners, title + ", again");
    item.measured = true;
  }

  probe::LoadMoment moment() const { return probe::load_now(allowed_); }

  // Judges the spell since the last look, if it took at least `least_s`: the runs in it count as
  // disturbed if other programs were busy.
  void look_at_others(double least_s) {
    const probe::LoadMoment now = moment();
    if (now.wall_s - spell_.wall_s < least_s) {
      return;
    }
    const std::optional<double> busy = processors_of_others(spell_, now);
    disturbed_ = busy && disturbs(*busy, now.processors->processors);
    for (size_t run = spell_run_; disturbed_ && run < runs_.size(); ++run) {
      runs_[run].timed.preemptions = std::max(runs_[run].timed.preemptions, 1L);
    }
    begin_spell();
  }

  void begin_spell() {
    spell_ = moment();
    spell_run_ = runs_.size();
  }

  void forget_runs(ProblemPoints& item) {
    for (Point& point : item.points) {
      runs_of_.erase(&point);
      point.ns.clear();
      point.raw_ns.clear();
    }
  }

  // Runs the points `reps` times, and again the points that lack quiet runs; earlier runs are
  // replaced.
  void run_rounds(const std::vector<Point*>& points, Runners& runners, const std::string& title) {
    for (Point* point : points) {
      runs_of_[point].clear();
    }
    wait_until_quiet();
    for (int round = 0; round < options_.reps; ++round) {
      watch_.during([&] { run_round(points, runners, title); });
    }
    for (int round = 0; round < options_.reps / 2; ++round) {
      const std::vector<Point*> loud = without_enough_quiet(points);
      total_ += loud.size();
      if (!loud.empty()) {
        wait_until_quiet();
      }
      watch_.during([&] { run_round(loud, runners, title + ", again until it is quiet"); });
    }
    look_at_others(kShortestLastSpell_s);
  }

  // Waits only if the last spell was disturbed, or before the first spell.
  void wait_until_quiet() {
    if (disturbed_) {
      wait_.wait(interrupt_token());
    }
    begin_spell();
  }

  void run_round(const std::vector<Point*>& points, Runners& runners, const std::string& title) {
    for (const size_t index : shuffled(points.size(), options_.seed, counter_)) {
      interrupt_token().check();
      Point& point = *points[index];
      point.after_itself = true;
      runs_of_[&point].push_back(runs_.size());
      runs_.push_back({&point, time_run(runners.at(point.plan.resources.page_size), point.plan)});
      time_reference();
      look_at_others(kShortestSpell_s);
      progress_.update(++done_, total_, title);
    }
  }

  // Times a run on one core that nobody else uses, or on several, where there are enough of them.
  TimedRun time_run(cpu::Runner& runner, const CpuPlan& plan) {
    return plan.resources.threads == 1 ? time_alone(runner, plan) : time_team(runner, plan);
  }

  // Calls time_once, and once more if a run is short: a prediction is of a run that follows one like it,
  // and a short run may find in the caches what another plan's run has left there.
  template <class TimeOnce>
  static void after_itself(const TimeOnce& time_once) {
    const auto began = std::chrono::steady_clock::now();
    time_once();
    if (std::chrono::steady_clock::now() - began < kShortRun) {
      time_once();
    }
  }

  // Times a run of several threads; the state of its cores is that of the most crowded one.
  TimedRun time_team(cpu::Runner& runner, const CpuPlan& plan) {
    core_.release();
    const std::vector<int>& cpus = team_.settle(static_cast<size_t>(plan.resources.threads));
    if (cpus.empty()) {
      return time_anywhere(runner, plan);
    }
    runner.use_cpus(cpus);
    const probe::CoreState before = team_.most_crowded(cpus);
    TimedRun run;
    after_itself([&] { run.value_ns = runner.run_once(plan); });
    const probe::CoreState after = team_.most_crowded(cpus);
    run.cycle_ns = (before.cycle_ns + after.cycle_ns) / 2;
    run.crowding_before = before.crowding;
    run.crowding_after = after.crowding;
    return run;
  }

  TimedRun time_alone(cpu::Runner& runner, const CpuPlan& plan) {
    core_.settle();
    const TimedRun run = time_anywhere(runner, plan);
    for (const double crowding : {run.crowding_before, run.crowding_after}) {
      watch_.add_look({.cycle_ns = run.cycle_ns, .crowding = crowding});
    }
    return run;
  }

  static TimedRun time_anywhere(cpu::Runner& runner, const CpuPlan& plan) {
    double ns_per_input = 0;
    TimedRun run;
    after_itself(
        [&] { run = probe::take_slice(1, [&] { ns_per_input = runner.run_once(plan); }); });
    run = without_harmless_preemptions(run, run.value_ns);
    run.value_ns = ns_per_input;
    return run;
  }

  std::vector<TimedRun> timed_runs(const std::vector<size_t>& which) const {
    std::vector<TimedRun> result;
    result.reserve(which.size());
    for (const size_t i : which) {
      result.push_back(runs_[i].timed);
    }
    return result;
  }

  double quiet_level_so_far() const {
    std::vector<TimedRun> all;
    all.reserve(runs_.size());
    for (const Run& run : runs_) {
      all.push_back(run.timed);
    }
    return all.empty() ? 0 : quiet_level(all, options_.core);
  }

  std::vector<Point*> without_enough_quiet(const std::vector<Point*>& points) const {
    const double level = quiet_level_so_far();
    std::vector<Point*> result;
    for (Point* point : points) {
      if (count_quiet(timed_runs(runs_of_.at(point)), level) < reps()) {
        result.push_back(point);
      }
    }
    return result;
  }

  // Sets the times of all measured points from their kept runs, corrected for the machine's drift;
  // those of quiet points are of quiet cores.
  void normalise() {
    const std::vector<double> factors = drift_factors(references_, kDriftHalfWindow);
    const double level = quiet_level_so_far();
    for (const auto& [point, runs] : runs_of_) {
      point->raw_ns.clear();
      point->ns.clear();
      const std::vector<TimedRun> timed = timed_runs(runs);
      for (const size_t i : runs_to_keep(timed, level, reps())) {
        point->raw_ns.push_back(timed[i].value_ns);
        point->ns.push_back(timed[i].value_ns * factors[runs[i]]);
      }
      point->quiet = std::min(count_quiet(timed, level), reps());
    }
    take_to_quiet_cores(timed_points());
  }

  std::vector<Point*> timed_points() const {
    std::vector<Point*> points;
    points.reserve(runs_of_.size());
    for (const auto& [point, runs] : runs_of_) {
      points.push_back(point);
    }
    return points;
  }

  size_t reps() const { return static_cast<size_t>(options_.reps); }

  std::vector<ProblemPoints>& all_;
  const MeasureOptions& options_;
  probe::LoadWatch& watch_;
  Progress& progress_;
  const CpuPlan reference_plan_;
  // The runs at the end of a problem may be judged in a shorter spell than others, of ten clock
  // ticks.
  static constexpr double kShortestLastSpell_s = 0.1;

  const std::vector<int> allowed_ = probe::allowed_cpus();
  QuietWait wait_;
  probe::LoadMoment spell_ = {};  // moment at which the spell that is not judged yet began
  size_t spell_run_ = 0;          // index of the first run in that spell
  // true: other programs were busy in the last spell, or none was judged yet
  bool disturbed_ = true;
  // CPUs of a run with several threads, one for each thread
  const std::vector<int> cpus_ = probe::this_topology().cpus;
  const cpu::HostNodes nodes_ = probe::host_nodes();
  probe::QuietCore core_{cpus_};
  probe::QuietTeam team_{cpus_};
  cpu::Runner reference_;
  std::vector<double> references_;
  std::vector<Run> runs_;
  // For each point: indices in runs_ of the runs that count
  std::map<Point*, std::vector<size_t>> runs_of_;
  uint64_t counter_ = 0;
  size_t done_ = 0;
  size_t total_ = 0;
};

}  // namespace

DriftReport measure_points(std::vector<ProblemPoints>& all, const MeasureOptions& options,
                           probe::LoadWatch& watch, Progress& progress) {
  const DriftReport report = Session(all, options, watch, progress).measure_all();
  mark_dropped(all);
  return report;
}

}  // namespace presort::app
