#include "presort/app/page/from/from_gpu_points.h"

#include <optional>
#include <string>

#include "presort/app/printing/text.h"
#include "presort/core/least_bytes.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::app::page {

namespace {

std::string gpu_name(const Machine& machine) {
  return machine.gpu_hardware ? machine.gpu_hardware->name
         : machine.gpu        ? machine.gpu->name
                              : machine.name;
}

double bandwidth_of(const Machine& machine) {
  return machine.gpu            ? machine.gpu->copy_bandwidth
         : machine.gpu_hardware ? machine.gpu_hardware->memory.bandwidth
                                : 0;
}

// Index of the plan with the least predicted time, of all or of those without a pre-sort; no value
// without predictions of such plans.
std::optional<size_t> chosen_of(const GpuProblemPoints& one, GpuMethod method, bool direct_only) {
  std::vector<double> times;
  std::vector<size_t> indices;
  for (size_t i = 0; i < one.points.size(); ++i) {
    const auto& ns = one.points[i].by(method);
    if (ns && (!direct_only || !one.points[i].plan.presort)) {
      times.push_back(*ns);
      indices.push_back(i);
    }
  }
  return times.empty() ? std::nullopt : std::optional(indices[gpu::first_of_fastest(times)]);
}

void add_problem(const GpuProblemPoints& one, GpuMethod method, double bandwidth,
                 Subject& subject) {
  const Problem& problem = one.problem;
  const std::optional<size_t> tuned = chosen_of(one, method, false);
  const std::optional<size_t> direct = chosen_of(one, method, true);
  for (size_t i = 0; i < one.points.size(); ++i) {
    const GpuPoint& point = one.points[i];
    if (!point.by(method)) {
      continue;
    }
    subject.results.push_back(
        {.operation = to_name(kOperations, problem.operation),
         .labels = one.labels,
         .types = to_string(problem.types),
         .n = problem.n,
         .m = problem.m,
         .plan = to_string(point.plan),
         .plan_words = short_plan(point.plan),
         .presorted = point.plan.presort.has_value(),
         .tuned = tuned == i,
         .direct = direct == i,
         .samples = {point.measured},
         .quiet = 0,
         .forecast =
             Forecast{.ns = *point.by(method), .stack = {}, .phases = {}, .memory_bytes = {}},
         .least_bytes = static_cast<double>(least_bytes(problem)) / static_cast<double>(problem.n),
         .ceiling = bandwidth});
  }
}

}  // namespace

std::vector<Subject> subjects_of(const GpuPoints& all, const Machine& machine) {
  std::vector<Subject> subjects;
  for (const GpuMethod method : {GpuMethod::closedForm, GpuMethod::simulation}) {
    Subject subject;
    subject.name = gpu_name(machine) + ", " + to_name(kGpuMethods, method);
    subject.device = Device::gpu;
    subject.facts = {{"GPU", gpu_name(machine)},
                     {"predicted", to_name(kGpuMethods, method)},
                     {"memory bandwidth", format_bandwidth(bandwidth_of(machine))}};
    for (const GpuProblemPoints& one : all.problems) {
      add_problem(one, method, bandwidth_of(machine), subject);
    }
    if (!subject.results.empty()) {
      subjects.push_back(std::move(subject));
    }
  }
  return subjects;
}

}  // namespace presort::app::page
