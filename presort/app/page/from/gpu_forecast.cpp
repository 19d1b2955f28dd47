#include "presort/app/page/from/gpu_forecast.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "presort/core/error.h"
#include "presort/core/labels/distribution.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/limits.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::app::page {
namespace {

Distribution labels_of(const io::GpuReportLine& line) {
  try {
    return parse_distribution("labels", line.labels);
  } catch (const InputError&) {
    return {};
  }
}

void add_term(const std::string& term, double ns, TimeStack& stack) {
  const auto found = std::find_if(stack.begin(), stack.end(),
                                  [&](const auto& other) { return other.first == term; });
  if (found != stack.end()) {
    found->second += ns;
  } else {
    stack.emplace_back(term, ns);
  }
}

}  // namespace

std::optional<Forecast> gpu_forecast(const Gpu& gpu, const io::GpuReportLine& line,
                                     const GpuPlan& plan) {
  try {
    const Problem problem = {.operation = from_name(kOperations, "op", line.operation),
                             .n = line.n,
                             .m = line.m,
                             .distribution = labels_of(line),
                             .types = parse_types("types", line.types)};
    check_problem(problem);
    gpu::check_gpu_problem(problem, plan, gpu::limits_of(gpu));
    const gpu::PlanTime time = gpu::plan_time(gpu, problem, plan);
    if (!std::isfinite(time.ns_per_input)) {
      return std::nullopt;  // a ceiling is not known
    }
    Forecast forecast = {.ns = time.ns_per_input, .stack = {}, .phases = {}, .memory_bytes = {}};
    for (const gpu::GpuPhase& phase : time.phases) {
      forecast.phases.emplace_back(phase.name, phase.ns_per_input);
      add_term(std::string(phase.bound), phase.ns_per_input, forecast.stack);
    }
    return forecast;
  } catch (const InputError&) {  // words that name nothing known, or a plan that does not fit
    return std::nullopt;
  }
}

}  // namespace presort::app::page
