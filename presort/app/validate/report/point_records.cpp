#include "presort/app/validate/report/point_records.h"

#include "presort/app/printing/problem_cells.h"
#include "presort/app/validate/score/statistics.h"
#include "presort/core/measurement.h"
#include "presort/tuner/errors/error_interval.h"

namespace presort::inline v0::app {

Records point_records(const std::vector<ProblemPoints>& all) {
  Records records(after_problem({"plan", "predicted_ns", "predicted_low_ns", "predicted_high_ns",
                                 "measured_ns", "relative_error", "spread", "runs", "quiet_runs",
                                 "in_grid", "tuned", "direct", "dropped"}));
  const auto yes_or_no = [&records](bool is) { records.text(is ? "yes" : "no"); };
  for (const ProblemPoints& item : all) {
    for (size_t i = 0; i < item.points.size(); ++i) {
      const Point& point = item.points[i];
      if (point.ns.empty()) {
        continue;
      }
      const double predicted = point.judged().ns_per_input;
      const tuner::ErrorInterval real = tuner::error_interval(point.judged());
      begin_problem(records, item.problem);
      records.text(to_string(point.plan));
      for (const double ns : {predicted, real.low, real.high, point.measured()}) {
        records.number(ns);
      }
      records.number(relative_error(predicted, point.measured()));
      records.number(relative_spread(point.ns));
      records.count(point.ns.size());
      records.count(point.quiet);
      yes_or_no(point.in_grid);
      yes_or_no(i == item.tuned);
      yes_or_no(i == item.direct);
      yes_or_no(point.dropped);
    }
  }
  return records;
}

}  // namespace presort::app
