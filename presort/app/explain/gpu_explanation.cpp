#include "presort/app/explain/gpu_explanation.h"

#include <algorithm>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/tuner/errors/gpu_error.h"

namespace presort::inline v0::app {

namespace {

// The best way of each scheme of several devices, fastest first.
std::string shared_explanation(const tuner::GpuChoice& choice) {
  std::vector<const tuner::GpuPrediction*> best;
  for (const auto& scheme : kDeviceSchemes) {
    const tuner::GpuPrediction* fastest = nullptr;
    for (const tuner::GpuPrediction& one : choice.predictions) {
      if (one.scheme == scheme.value && (!fastest || one.ns_per_input < fastest->ns_per_input)) {
        fastest = &one;
      }
    }
    if (fastest) {
      best.push_back(fastest);
    }
  }
  std::ranges::stable_sort(best, {}, &tuner::GpuPrediction::ns_per_input);
  TextTable table({"ns per input", "scheme", "plan of each device"});
  for (const tuner::GpuPrediction* one : best) {
    table.add({time_text(Device::gpu, one->ns_per_input), to_name(kDeviceSchemes, one->scheme),
               gpu::has_one_gpu_plan(choice.entry.problem.operation) ? "the only plan"
                                                                     : short_plan(one->plan)});
  }
  return displayable_line(to_string(choice.entry.problem)) + " on " +
         std::to_string(choice.entry.shared.devices) + " devices\n" + table.text() +
         "chosen: " + to_name(kDeviceSchemes, choice.entry.shared.scheme) +
         " (rounds only where they gain 5 % or more)\n";
}

}  // namespace

std::string gpu_explanation(const tuner::GpuChoice& choice) {
  if (choice.entry.shared.devices > 1) {
    return shared_explanation(choice);
  }
  std::vector<const tuner::GpuPrediction*> sorted;
  for (const tuner::GpuPrediction& prediction : choice.predictions) {
    sorted.push_back(&prediction);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const tuner::GpuPrediction* a, const tuner::GpuPrediction* b) {
                     return a->ns_per_input < b->ns_per_input;
                   });
  const auto words_of = [&choice](const GpuPlan& plan) {
    return gpu::has_one_gpu_plan(choice.entry.problem.operation) ? std::string("the only plan")
                                                                 : short_plan(plan);
  };
  TextTable table({"ns per input", "80 % of runs", "plan"});
  for (const tuner::GpuPrediction* prediction : sorted) {
    const tuner::ErrorInterval real =
        tuner::gpu_error_interval(choice.entry.problem, prediction->plan, prediction->ns_per_input);
    table.add({time_text(Device::gpu, prediction->ns_per_input),
               time_text(Device::gpu, real.low) + " to " + time_text(Device::gpu, real.high),
               words_of(prediction->plan)});
  }
  std::string text = displayable_line(to_string(choice.entry.problem)) + "\n" + table.text();
  for (const GpuPlan& plan : {choice.entry.plan, choice.entry.direct_plan}) {
    const auto of_plan = [&plan](const tuner::GpuPrediction* prediction) {
      return prediction->plan == plan;
    };
    const auto found = std::find_if(sorted.begin(), sorted.end(), of_plan);
    text += words_of(plan) + ":\n" + draw_stack((*found)->stack_ns);
    if (choice.entry.direct_plan == choice.entry.plan) {
      break;  // one stack for one plan
    }
  }
  return text;
}

}  // namespace presort::app
