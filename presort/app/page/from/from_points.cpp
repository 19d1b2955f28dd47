#include "presort/app/page/from/from_points.h"

#include "presort/app/machines/hierarchy_drawing.h"
#include "presort/app/page/facts.h"
#include "presort/app/printing/text.h"
#include "presort/core/least_bytes.h"
#include "presort/tuner/errors/error_interval.h"

namespace presort::inline v0::app::page {

namespace {

Forecast forecast_of(const Prediction& prediction) {
  const tuner::ErrorInterval interval = tuner::error_interval(prediction);
  Forecast forecast = {.ns = prediction.ns_per_input,
                       .low = interval.low,
                       .high = interval.high,
                       .stack = prediction.stack_ns,
                       .phases = {},
                       .memory_bytes = memory_bytes(prediction)};
  for (const PhasePrediction& phase : prediction.phases) {
    forecast.phases.emplace_back(phase.name, phase.ns_per_input);
  }
  return forecast;
}

Result result_of(const ProblemPoints& item, size_t index, const io::RecordedMachine& machine) {
  const Problem& problem = item.problem;
  const Point& point = item.points[index];
  return {.operation = to_name(kOperations, problem.operation),
          .labels = to_string(problem.distribution),
          .types = to_string(problem.types),
          .n = problem.n,
          .m = problem.m,
          .plan = to_string(point.plan),
          .plan_words = short_plan(point.plan),
          .presorted = point.plan.presort.has_value(),
          .in_grid = point.in_grid,
          .dropped = point.dropped,
          .tuned = index == item.tuned,
          .direct = index == item.direct,
          .samples = point.ns,
          .quiet = point.quiet,
          .forecast = forecast_of(point.judged()),
          .least_bytes = static_cast<double>(least_bytes(problem)) / static_cast<double>(problem.n),
          .ceiling = memory_ceiling(machine, point.plan.resources.threads)};
}

}  // namespace

Subject subject_of(const std::vector<ProblemPoints>& all, const Machine& machine) {
  const io::RecordedMachine recorded = recorded_machine(machine);
  Subject subject;
  subject.name = machine.name;
  subject.facts = facts_of(recorded, io::current_provenance());
  subject.drawing = draw_machine(machine);
  for (const ProblemPoints& item : all) {
    for (size_t i = 0; i < item.points.size(); ++i) {
      if (!item.points[i].ns.empty()) {
        subject.results.push_back(result_of(item, i, recorded));
      }
    }
  }
  return subject;
}

}  // namespace presort::app::page
