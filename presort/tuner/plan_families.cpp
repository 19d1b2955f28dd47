#include "presort/tuner/plan_families.h"

#include <algorithm>

namespace presort::inline v0::tuner {

namespace {

CpuPlan without_numbers(CpuPlan plan) {
  const Presort given = plan.presort.value_or(Presort{});
  plan.presort = Presort{.layout = given.layout, .streaming = given.streaming};
  plan.base = Base{.strategy = plan.base.strategy};
  return plan;
}

}  // namespace

std::vector<size_t> families_of(const std::vector<CpuPlan>& plans) {
  std::vector<CpuPlan> seen;
  std::vector<size_t> families;
  for (const CpuPlan& plan : plans) {
    const CpuPlan like = without_numbers(plan);
    const auto place = std::find(seen.begin(), seen.end(), like);
    families.push_back(static_cast<size_t>(place - seen.begin()));
    if (place == seen.end()) {
      seen.push_back(like);
    }
  }
  return families;
}

std::optional<size_t> plain_twin(const std::vector<CpuPlan>& plans, size_t i) {
  CpuPlan plain = plans[i];
  plain.base.input_distance = 0;
  if (plans[i].presort || plans[i].base.range_passes > 1 || plain == plans[i]) {
    return std::nullopt;
  }
  const auto twin = std::find(plans.begin(), plans.end(), plain);
  return twin == plans.end() ? std::nullopt
                             : std::optional(static_cast<size_t>(twin - plans.begin()));
}

}  // namespace presort::tuner
