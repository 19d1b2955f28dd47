#include "presort/app/validate/ablation/ablation.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include "presort/app/cli/interrupt.h"
#include "presort/app/loops/predict_loops.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/validate/predict_points.h"
#include "presort/predict/parallel.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

namespace {

Judge kernel_judge(std::vector<ProblemPoints> points, predict::Method method) {
  // Options of the predictions: those with which `tune` simulates near ties
  predict::SimulationOptions options = tuner::kConfirmingOptions;
  options.method = method;
  return [points = std::move(points), options](const Machine& machine) {
    std::vector<ProblemPoints> predicted = points;
    Progress progress(Verbosity::quiet, "");
    predict_points(predicted, machine, options, progress);
    if (interrupted()) {
      return Outcome{};
    }
    choose_plans(predicted);
    return judge_kernels(predicted);
  };
}

Judge loop_judge(std::vector<LoopPoint> loops) {
  return [loops = std::move(loops)](const Machine& machine) {
    std::vector<LoopPoint> predicted = loops;
    Progress progress(Verbosity::quiet, "");
    predict_loops(predicted, machine, progress);
    return interrupted() ? Outcome{} : judge_loops(predicted);
  };
}

// A recording to predict, with all mechanisms of the timing model on, or without one.
struct Task {
  const Subject* subject;
  const Mechanism* off;  // the mechanism that is switched off; null: none
  std::optional<Outcome> outcome = std::nullopt;
};

std::vector<Task> tasks_of(const std::vector<Subject>& subjects, const Wanted& wanted) {
  std::vector<Task> tasks;
  for (const Subject& subject : subjects) {
    tasks.push_back({&subject, nullptr});
  }
  for (const Mechanism& mechanism : mechanisms()) {
    for (const Subject& subject : subjects) {
      if (wanted(mechanism) && has(subject.machine, mechanism)) {
        tasks.push_back({&subject, &mechanism});
      }
    }
  }
  return tasks;
}

void run(Task& task) {
  const Machine& machine = task.subject->machine;
  Outcome outcome =
      task.subject->judge(task.off == nullptr ? machine : without(*task.off, machine));
  if (!interrupted()) {
    task.outcome = std::move(outcome);
  }
}

// Number of recordings to predict at a time. The predictions of one recording are made on all
// cores; two more keep the cores busy while its last predictions are made.
size_t tasks_at_once() {
  return std::thread::hardware_concurrency() > 1 ? 3 : 1;
}

const std::optional<Outcome>* find_outcome(const std::vector<Task>& tasks, const Subject& subject,
                                           const Mechanism* off) {
  const auto place = std::ranges::find_if(
      tasks, [&](const Task& task) { return task.subject == &subject && task.off == off; });
  return place == tasks.end() ? nullptr : &place->outcome;
}

}  // namespace

Subject make_subject(const Recording& recording, const std::string& folder, predict::Method method,
                     size_t every) {
  const std::string path = folder + "/" + recording.name + ".jsonl.gz";
  const Machine machine = load_machine(recording.machine);
  if (recording.what == Recorded::loops) {
    return {recording, without_core_costs(machine), loop_judge(read_loops(path, every))};
  }
  return {recording, machine, kernel_judge(read_kernels(path, machine, method, every), method)};
}

std::vector<Ablation> ablate(const std::vector<Subject>& subjects, const Wanted& wanted,
                             Verbosity verbosity) {
  std::vector<Task> tasks = tasks_of(subjects, wanted);
  Progress progress(verbosity, "ablation");
  std::mutex mutex;
  size_t done = 0;
  const auto run_and_tell = [&](size_t i) {
    run(tasks[i]);
    const std::lock_guard lock(mutex);
    progress.update(++done, tasks.size(), tasks[i].subject->recording.name);
  };
  predict::parallel_for(tasks.size(), tasks_at_once(), run_and_tell, interrupted);

  std::vector<Ablation> ablations;
  for (const Subject& subject : subjects) {
    const std::optional<Outcome>& all = *find_outcome(tasks, subject, nullptr);
    if (!all) {
      continue;
    }
    Ablation& ablation = ablations.emplace_back();
    ablation.recording = subject.recording;
    ablation.everything_on = all->figures;
    for (const Mechanism& mechanism : mechanisms()) {
      const auto* outcome = find_outcome(tasks, subject, &mechanism);
      const bool judged = outcome != nullptr && outcome->has_value();
      std::optional<Figures>& off = ablation.off.emplace_back();
      ablation.left_out.push_back(!judged && has(subject.machine, mechanism));
      if (judged) {
        off = (*outcome)->figures;
        off->moved = count_moved((*outcome)->times, all->times);
      }
    }
  }
  return ablations;
}

}  // namespace presort::app
