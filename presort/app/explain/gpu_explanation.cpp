#include "presort/app/explain/gpu_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"

namespace presort::inline v0::app {

std::string time_text(Device device, double ns) {
  return device == Device::gpu && std::isfinite(ns) ? fmt::format("{:.5f}", ns) : format_ns(ns);
}

std::string gpu_explanation(const tuner::Choice& choice) {
  std::vector<const Prediction*> sorted;
  for (const Prediction& prediction : choice.predictions) {
    sorted.push_back(&prediction);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Prediction* a, const Prediction* b) {
    return a->ns_per_input < b->ns_per_input;
  });
  TextTable table({"ns per input", "plan"});
  for (const Prediction* prediction : sorted) {
    table.add({time_text(Device::gpu, prediction->ns_per_input), short_plan(prediction->plan)});
  }
  std::string text = displayable_line(to_string(choice.entry.problem)) + "\n" + table.text();
  for (const Plan& plan : {choice.entry.plan, choice.entry.direct_plan}) {
    const auto of_plan = [&plan](const Prediction* prediction) { return prediction->plan == plan; };
    const auto found = std::find_if(sorted.begin(), sorted.end(), of_plan);
    text += short_plan(plan) + ":\n" + draw_stack((*found)->stack_ns);
  }
  return text;
}

}  // namespace presort::app
