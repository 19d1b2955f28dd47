#include "presort/app/measure/measuring.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "presort/app/cli/interrupt.h"
#include "presort/app/printing/notes.h"
#include "presort/app/validate/quiet_runs.h"
#include "presort/core/error.h"
#include "presort/cpu/runner/runner.h"
#include "presort/probe/host/host_nodes.h"
#include "presort/probe/load/machine_load.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::app {

namespace {

// Runs the plans of one choice on this machine, on memory of one page size at a time. Before each
// short run there is an untimed one.
class TimedRuns {
 public:
  TimedRuns(const tuner::Choice& choice, std::shared_ptr<const LabelSource> labels,
            probe::LoadWatch& watch)
      : problem_(choice.entry.problem), labels_(std::move(labels)), watch_(watch) {
    for (const Prediction& prediction : choice.predictions) {
      uint64_t& most = scratch_[prediction.plan.resources.page_size];
      most = std::max(most, cpu::Runner::scratch_bytes(problem_, prediction.plan));
      known_.push_back({prediction.plan, prediction.ns_per_input});
    }
  }

  double operator()(const CpuPlan& plan) {
    const PageSize pages = plan.resources.page_size;
    if (!runner_ || pages_ != pages) {
      runner_.reset();
      runner_.emplace(problem_, pages, labels_, scratch_.at(pages), std::vector<int>{},
                      interrupt_token());
      runner_->use_nodes(nodes_);
      pages_ = pages;
    }
    interrupt_token().check();
    double ns_per_input = 0;
    watch_.during([&] {
      if (is_short(plan)) {
        known(plan).ns_per_input = runner_->run_once(plan);
      }
      const probe::Slice slice =
          probe::take_slice(1, [&] { ns_per_input = runner_->run_once(plan); });
      last_ = without_harmless_preemptions(slice, slice.value_ns);
    });
    return ns_per_input;
  }

  // True if a run of a plan is short (is_short_run). Other plans' runs come between otherwise.
  bool is_short(const CpuPlan& plan) {
    return is_short_run(known(plan).ns_per_input * static_cast<double>(problem_.n));
  }

  // True if nothing took the core, or a share of its speed, during the last run.
  bool last_was_quiet(const probe::UncrowdedCore& core) const {
    const double crowding = std::max(last_.crowding_before, last_.crowding_after);
    return last_.preemptions == 0 && crowding * core.adds_per_cycle * probe::kCrowdedPart <= 1;
  }

 private:
  Problem problem_;
  std::shared_ptr<const LabelSource> labels_;
  probe::LoadWatch& watch_;
  std::map<PageSize, uint64_t> scratch_;
  PageSize pages_ = PageSize::k2MiB;
  std::optional<cpu::Runner> runner_;
  const cpu::HostNodes nodes_ = probe::host_nodes();
  struct Known {
    CpuPlan plan;
    double ns_per_input;  // time of its last untimed run, or as predicted
  };
  Known& known(const CpuPlan& plan) { return *std::ranges::find(known_, plan, &Known::plan); }

  std::vector<Known> known_;
  probe::Slice last_;  // the last timed run, with the state of the core before and after
};

// Runs an action. Returns the reason if the environment refused it, otherwise "".
std::string refusal_of(const std::function<void()>& action) {
  try {
    action();
    return "";
  } catch (const EnvironmentError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  }
}

// Calls `measure` for a copy of each choice, and keeps the copy unless the environment refused its
// runs.
void measure_each(Choices& choices, Progress& progress,
                  const std::function<void(tuner::Choice& measured)>& measure) {
  size_t done = 0;
  for (tuner::Choice& choice : choices.items) {
    tuner::Choice measured = choice;
    try {
      const std::string refusal = refusal_of([&] { measure(measured); });
      if (refusal.empty()) {
        choice = std::move(measured);
      } else {
        warn("{}: no timed runs, chosen by predictions: {}", to_string(choice.entry.problem),
             refusal);
        ++choices.refused;
      }
    } catch (const Stopped&) {
      choices.complete = false;
      return;
    }
    progress.update(++done, choices.items.size(), to_string(choice.entry.problem));
  }
}

}  // namespace

void measure_choices(Choices& choices, int runs, probe::LoadWatch& watch, Progress& progress,
                     const LabelsOf& labels_of) {
  measure_each(choices, progress, [&](tuner::Choice& measured) {
    TimedRuns timed(measured, labels_of(measured.entry.problem), watch);
    tuner::measure(measured, runs, [&timed](const CpuPlan& plan) { return timed(plan); });
  });
}

size_t measure_close_choices(Choices& choices, const probe::UncrowdedCore& core,
                             probe::LoadWatch& watch, Progress& progress,
                             const LabelsOf& labels_of) {
  size_t timed_problems = 0;
  measure_each(choices, progress, [&](tuner::Choice& measured) {
    const tuner::Choice choice = measured;
    // The runners are made at the first run, as inputs take time to make
    std::optional<TimedRuns> timed;
    const auto seconds_of_run = [&](size_t plan) {
      const Prediction& prediction = choice.predictions[plan];
      const double ns = prediction.ns_per_input * static_cast<double>(prediction.problem.n);
      const bool is_short = timed ? timed->is_short(prediction.plan) : is_short_run(ns);
      return 1e-9 * ns * (is_short ? 2 : 1);
    };
    tuner::measure_close(
        measured, kCloseSeconds, seconds_of_run, [&](const CpuPlan& plan) -> std::optional<double> {
          if (!timed) {
            timed.emplace(choice, labels_of(choice.entry.problem), watch);
          }
          const double ns_per_input = (*timed)(plan);
          return timed->last_was_quiet(core) ? std::optional(ns_per_input) : std::nullopt;
        });
    timed_problems += measured.runs.empty() ? 0 : 1;
  });
  return timed_problems;
}

}  // namespace presort::app
