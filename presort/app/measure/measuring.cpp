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
#include "presort/core/error.h"
#include "presort/cpu/runner/runner.h"

namespace presort::inline v0::app {

namespace {

// Runs the plans of one choice, on memory of one page size at a time. Each plan first runs once
// untimed.
class TimedRuns {
 public:
  TimedRuns(const tuner::Choice& choice, std::shared_ptr<const LabelSource> labels,
            probe::LoadWatch& watch)
      : problem_(choice.entry.problem), labels_(std::move(labels)), watch_(watch) {
    for (const Prediction& prediction : choice.predictions) {
      uint64_t& most = scratch_[prediction.plan.resources.page_size];
      most = std::max(most, cpu::Runner::scratch_bytes(problem_, prediction.plan));
    }
  }

  double operator()(const CpuPlan& plan) {
    const PageSize pages = plan.resources.page_size;
    if (!runner_ || pages_ != pages) {
      runner_.reset();
      runner_.emplace(problem_, pages, labels_, scratch_.at(pages), std::vector<int>{},
                      interrupt_token());
      pages_ = pages;
      warm_.clear();
    }
    interrupt_token().check();
    double ns_per_input = 0;
    watch_.during([&] {
      if (std::find(warm_.begin(), warm_.end(), plan) == warm_.end()) {
        runner_->run_once(plan);
        warm_.push_back(plan);
      }
      ns_per_input = runner_->run_once(plan);
    });
    return ns_per_input;
  }

 private:
  Problem problem_;
  std::shared_ptr<const LabelSource> labels_;
  probe::LoadWatch& watch_;
  std::map<PageSize, uint64_t> scratch_;
  PageSize pages_ = PageSize::k2MiB;
  std::optional<cpu::Runner> runner_;
  std::vector<CpuPlan> warm_;
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

}  // namespace

void measure_choices(Choices& choices, int runs, probe::LoadWatch& watch, Progress& progress,
                     const LabelsOf& labels_of) {
  size_t done = 0;
  for (tuner::Choice& choice : choices.items) {
    tuner::Choice measured = choice;
    try {
      const std::string refusal = refusal_of([&] {
        TimedRuns timed(choice, labels_of(choice.entry.problem), watch);
        tuner::measure(measured, runs, [&timed](const CpuPlan& plan) { return timed(plan); });
      });
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

}  // namespace presort::app
