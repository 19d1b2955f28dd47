#include "presort/app/validate/ablation/ablation.h"

#include <fmt/format.h>

#include "presort/app/loops/predict_loops.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/validate/predict_points.h"
#include "presort/tuner/tuner.h"

namespace presort::inline v0::app {

namespace {

Judge kernel_judge(std::vector<ProblemPoints> points, predict::Method method) {
  predict::SimulationOptions options = tuner::kTuningOptions;
  options.method = method;
  return [points = std::move(points), options](const Machine& machine, Progress& progress) {
    std::vector<ProblemPoints> predicted = points;
    predict_points(predicted, machine, options, progress);
    choose_plans(predicted);
    return judge_kernels(predicted);
  };
}

Judge loop_judge(std::vector<LoopPoint> loops) {
  return [loops = std::move(loops)](const Machine& machine, Progress& progress) {
    std::vector<LoopPoint> predicted = loops;
    predict_loops(predicted, machine, progress);
    return judge_loops(predicted);
  };
}

}  // namespace

Ablation ablate(const Recording& recording, const Machine& machine, const Judge& judge,
                const Wanted& wanted, Verbosity verbosity) {
  const auto judge_without = [&](std::string_view what, const Machine& variant) {
    Progress progress(verbosity, fmt::format("{} without {}", recording.name, what));
    return judge(variant, progress);
  };
  const Outcome all = judge_without("nothing", machine);
  Ablation ablation{recording, all.figures, {}};
  for (const Mechanism& mechanism : mechanisms()) {
    std::optional<Figures>& off = ablation.off.emplace_back();
    if (wanted(mechanism) && has(machine, mechanism)) {
      const Outcome outcome = judge_without(mechanism.name, without(mechanism, machine));
      off = outcome.figures;
      off->moved = count_moved(outcome.times, all.times);
    }
  }
  return ablation;
}

Ablation ablate(const Recording& recording, const std::string& folder, predict::Method method,
                size_t every, const Wanted& wanted, Verbosity verbosity) {
  const std::string path = folder + "/" + recording.name + ".jsonl.gz";
  const Machine machine = load_machine(recording.machine);
  if (recording.what == Recorded::loops) {
    return ablate(recording, without_core_costs(machine), loop_judge(read_loops(path, every)),
                  wanted, verbosity);
  }
  return ablate(recording, machine,
                kernel_judge(read_kernels(path, machine, method, every), method), wanted,
                verbosity);
}

}  // namespace presort::app
