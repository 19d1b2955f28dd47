#include "presort/app/whatif/compare_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "presort/app/cli/interrupt.h"
#include "presort/app/cli/interruptible_work.h"
#include "presort/app/printing/text.h"
#include "presort/core/error.h"
#include "presort/tuner/gpu_search.h"
#include "presort/tuner/gpu_tuner.h"

namespace presort::inline v0::app {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

template <class Plan>
ComparedPoint point_of(const Problem& problem, const BestTimes& best, const Plan& plan) {
  return {{problem, best}, short_plan(plan), io::plan_to_json(plan)};
}

ComparedPoint simulated_point(const GpuHardware& hardware, const Problem& problem,
                              const LabelsOf& labels_of) {
  const tuner::SimulatedGpuChoice choice =
      tuner::search_gpu_plans(hardware, problem, labels_of(problem), interrupt_token());
  const auto ns = [](const std::optional<tuner::SimulatedGpuPlan>& one) {
    return one ? one->ns_per_input : kNone;
  };
  return point_of(problem, {ns(choice.direct), ns(choice.presorted)}, choice.best().plan);
}

ComparedPoint closed_point(const Machine& machine, const Problem& problem) {
  const tuner::GpuChoice choice = tuner::choose_gpu_plan(machine, problem);
  BestTimes best{kNone, kNone};
  for (const tuner::GpuPrediction& one : choice.predictions) {
    double& ns = one.plan.presort ? best.presorted : best.direct;
    ns = std::min(ns, one.ns_per_input);
  }
  return point_of(problem, best, choice.entry.plan);
}

}  // namespace

void check_gpu_changes(const std::vector<std::string>& changes, GpuTimes times) {
  const std::string section = times == GpuTimes::simulated ? "gpuHardware." : "gpu.";
  for (const std::string& change : changes) {
    if (!change.starts_with(section)) {
      throw InputError(fmt::format(
          "--set: found '{}', accepted: {}KEY=VALUE (--device gpu{} reads the section {} alone)",
          change, section, times == GpuTimes::simulated ? "" : " --model-only",
          section.substr(0, section.size() - 1)));
    }
  }
}

Compared compare_on_gpu(const Variant& variant, const std::vector<Problem>& problems,
                        GpuTimes times, Progress& progress, const LabelsOf& labels_of) {
  const Machine& machine = variant.machine;
  if (times == GpuTimes::simulated && !machine.gpu_hardware) {
    throw InputError("-m: machine '" + machine.name +
                     "' has no section gpuHardware; accepted: a machine with one, such as h200");
  }
  std::vector<std::optional<ComparedPoint>> slots(problems.size());
  size_t finished = 0;
  parallel_for(
      problems.size(),
      [&](size_t i) {
        slots[i] = times == GpuTimes::simulated
                       ? simulated_point(*machine.gpu_hardware, problems[i], labels_of)
                       : closed_point(machine, problems[i]);
      },
      [&](size_t i) { progress.update(++finished, problems.size(), to_string(problems[i])); });
  Compared compared = {variant.label, machine, {}, true};
  for (std::optional<ComparedPoint>& slot : slots) {
    if (slot) {
      compared.points.push_back(std::move(*slot));
    } else {
      compared.complete = false;
    }
  }
  return compared;
}

}  // namespace presort::app
