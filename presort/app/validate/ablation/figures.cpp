#include "presort/app/validate/ablation/figures.h"

#include <cmath>

#include "presort/app/validate/kept_points.h"
#include "presort/app/validate/report/summary.h"
#include "presort/app/validate/score/regret.h"
#include "presort/app/validate/score/statistics.h"

namespace presort::inline v0::app {

namespace {

void add_errors(const std::vector<double>& errors, Figures& figures) {
  const ErrorSummary summary = summarise_errors(errors);
  figures.points = summary.points;
  figures.median_error = summary.median_abs;
  figures.p90_error = summary.p90_abs;
}

void add_choices(const std::vector<ProblemPoints>& all, Figures& figures) {
  std::vector<double> regrets;
  for (const ProblemPoints& item : all) {
    const ProblemRow row = judge_problem(item);
    if (row.usable || (row.best_direct_ns > 0 && row.best_presorted_ns > 0)) {
      ++figures.problems;
      figures.right += row.right_decision ? 1 : 0;
    }
    if (row.usable) {
      regrets.push_back(split_half_regret(item.points[item.tuned].ns,
                                          repeats_of(kept_grid_points(item, Side::all))));
    }
  }
  figures.mean_regret = regrets.empty() ? 0 : mean(regrets);
}

}  // namespace

Outcome judge_kernels(const std::vector<ProblemPoints>& all) {
  Outcome outcome;
  std::vector<double> errors;
  for_each_kept(all, [&](const ProblemPoints&, const Point& point) {
    outcome.times.push_back(point.judged().ns_per_input);
    errors.push_back(relative_error(outcome.times.back(), point.measured()));
  });
  add_errors(errors, outcome.figures);
  add_choices(all, outcome.figures);
  return outcome;
}

Outcome judge_loops(const std::vector<LoopPoint>& loops) {
  Outcome outcome;
  std::vector<double> errors;
  for (const LoopPoint& loop : loops) {
    outcome.times.push_back(loop.prediction->ns_per_item);
    errors.push_back(relative_error(outcome.times.back(), loop.measured()));
  }
  add_errors(errors, outcome.figures);
  return outcome;
}

size_t count_moved(const std::vector<double>& times, const std::vector<double>& before) {
  size_t moved = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    moved += std::abs(relative_error(times[i], before[i])) > kMoved ? 1 : 0;
  }
  return moved;
}

}  // namespace presort::app
